#if __has_include(<nats/nats.h>)
  #include <nats/nats.h>
#else
  #error "The trait NATS needs the C client of NATS, version 3.4 or later: install libnats-dev on Debian and Ubuntu, cnats with Homebrew."
#endif
