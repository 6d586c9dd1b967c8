// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Preloaded into a process, this stops its threads where they would hardly ever be stopped: at arbitrary instructions, by
// signals whose handler sleeps, and after the taking and the release of locks. Mistakes that show only if a thread is away
// for a while between two instructions then show within minutes.
//
//   SOAK_SEED      which pauses are made; any number
//   SOAK_SIGNALS   0: only pauses at locks. The thread sanitizer puts signals off until a call, so there they are no use.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t state;

// The next of a row of random numbers. Threads share it, so a seed does not repeat a run, it only begins another one.
static uint64_t draw(void) {
  uint64_t x = atomic_fetch_add_explicit(&state, UINT64_C(0x9E3779B97F4A7C15), memory_order_relaxed);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

// Sleeps for up to a number of microseconds. The call itself, because a sanitizer watches the function of the C library.
static void pause_up_to(uint64_t microseconds) {
  struct timespec time = {0, (long)(draw() % (microseconds * 1000))};
  syscall(SYS_nanosleep, &time, NULL);
}

static void stop_here(int signal) {
  (void)signal;
  int saved = errno;
  // Mostly just long enough for another thread to run, sometimes for a long time.
  pause_up_to(draw() % 16 == 0 ? 5000 : 300);
  errno = saved;
}

// The threads of this process that there are now.
static int threads(pid_t *found, int limit) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder) return 0;
  int count = 0;
  struct dirent *entry;
  while (count < limit && (entry = readdir(folder)))
    if (entry->d_name[0] != '.') found[count++] = (pid_t)atoi(entry->d_name);
  closedir(folder);
  return count;
}

static void *disturb(void *nothing) {
  pid_t own = (pid_t)syscall(SYS_gettid), found[256];
  for (unsigned round = 0;; round++) {
    int count = threads(found, 256);
    for (int turn = 0; turn < 8 && count > 0; turn++) {
      pid_t thread = found[draw() % (uint64_t)count];
      if (thread != own) syscall(SYS_tgkill, getpid(), thread, SIGRTMIN + 5);
      pause_up_to(200);
    }
  }
  return nothing;
}

// A process that is forked has no such thread, and needs none: it is about to become another program.
__attribute__((constructor)) static void begin(void) {
  const char *seed = getenv("SOAK_SEED"), *signals = getenv("SOAK_SIGNALS");
  atomic_store(&state, (seed ? strtoull(seed, NULL, 10) : 1) * 1000003 + (uint64_t)getpid());
  if (signals && strcmp(signals, "0") == 0) return;
  struct sigaction action = {0};
  action.sa_handler = stop_here;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(SIGRTMIN + 5, &action, NULL);
  // The one that disturbs the others must not be stopped by what the program sends.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, disturb, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

typedef int operation(pthread_mutex_t *);

static operation *next(const char *name, operation *_Atomic *known) {
  operation *function = atomic_load_explicit(known, memory_order_acquire);
  if (!function) {
    function = (operation *)dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, function, memory_order_release);
  }
  return function;
}

// While it is held others pile up; when it has been released another one gets in between.
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static operation *_Atomic known;
  int result = next("pthread_mutex_lock", &known)(mutex);
  if (draw() % 64 == 0) pause_up_to(200);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  static operation *_Atomic known;
  int result = next("pthread_mutex_unlock", &known)(mutex);
  if (draw() % 64 == 0) pause_up_to(200);
  return result;
}
