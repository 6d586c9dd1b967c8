#if __has_include(<hiredis/hiredis.h>)
  #include <hiredis/hiredis.h>
#else
  #error "The trait Redis needs hiredis: install libhiredis-dev on Debian and Ubuntu, hiredis with Homebrew."
#endif

#ifdef __linux__
  #include <pthread.h>
  // The system's header declares it only with _GNU_SOURCE, which a module map can't define.
  int pthread_setname_np(pthread_t thread, const char *name);
#endif
