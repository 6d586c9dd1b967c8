#if __has_include(<hiredis/hiredis.h>)
  #include <hiredis/hiredis.h>
#else
  #error "The trait Redis needs hiredis: install libhiredis-dev on Debian and Ubuntu, hiredis with Homebrew."
#endif
