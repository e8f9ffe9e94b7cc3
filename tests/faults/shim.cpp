// Loaded before all else (LD_PRELOAD) into a program under test: of the calls that it makes on
// files beneath one folder the one of a given number fails, or ends the process as `kill -9` does.
//
//   FAULTS_UNDER=/folder   whose files count
//   FAULTS_LOG=/file       gets a line for each of these calls: "open 2 /folder/file", the number
//                          being that of errors which fit it
//   FAULT=7:1              the seventh call fails with the second error that fits it
//   FAULT=7:kill           the process ends before it
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

namespace {

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

struct Plan {
  std::string under;
  int log = -1;
  int number = 0;  // of the call; 0: none
  int error = -1;  // which of those that fit; -1: kill

  Plan() {
    const char *folder = std::getenv("FAULTS_UNDER"), *file = std::getenv("FAULTS_LOG"),
               *fault = std::getenv("FAULT");
    if (folder != nullptr) under = folder;
    if (file != nullptr) {
      log = static_cast<int>(
          ::syscall(SYS_open, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    }
    if (fault == nullptr) return;
    number = std::atoi(fault);
    const char* colon = std::strchr(fault, ':');
    if (colon != nullptr && std::strcmp(colon, ":kill") != 0) error = std::atoi(colon + 1);
  }
};

Plan& plan() {
  static Plan* const one = new Plan;
  return *one;
}

std::array<std::string, 1024>& paths() {  // of descriptors beneath the folder
  static auto* const all = new std::array<std::string, 1024>;
  return *all;
}

std::string path_of(int descriptor) {
  const auto at = static_cast<std::size_t>(descriptor);
  return descriptor >= 0 && at < paths().size() ? paths()[at] : std::string();
}

std::string path_of(int folder, const char* name) {
  if (name == nullptr) return {};
  if (*name == '/' || folder == AT_FDCWD) return name;
  const std::string base = path_of(folder);
  return base.empty() ? base : base + "/" + name;
}

bool counts(const std::string& path) {
  return !plan().under.empty() && path.starts_with(plan().under);
}

int remember(int descriptor, const std::string& path) {
  const auto at = static_cast<std::size_t>(descriptor);
  if (descriptor >= 0 && at < paths().size()) paths()[at] = counts(path) ? path : std::string();
  return descriptor;
}

// 0, or the error that the call is to have.
int verdict(const char* call, const std::string& path, std::initializer_list<int> errors) {
  static int count = 0;
  if (!counts(path)) return 0;
  ++count;
  const std::string line =
      std::string(call) + " " + std::to_string(errors.size()) + " " + path + "\n";
  if (plan().log >= 0) (void)::syscall(SYS_write, plan().log, line.data(), line.size());
  if (count != plan().number) return 0;
  if (plan().error < 0) ::kill(::getpid(), SIGKILL);
  return errors.begin()[static_cast<std::size_t>(plan().error) % errors.size()];
}

template <class Result>
Result failed(int error, Result result) {
  errno = error;
  return result;
}

mode_t mode_of(int flags, va_list arguments) {
  const bool has = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return has ? va_arg(arguments, mode_t) : 0;
}

int open_at(const char* call, int folder, const char* name, int flags, mode_t mode) {
  const std::string path = path_of(folder, name);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  const int error = writes ? verdict(call, path, {EACCES, EMFILE, ENOSPC})
                           : verdict(call, path, {EMFILE, EACCES, EIO});
  if (error != 0) return failed(error, -1);
  return remember(real<int(int, const char*, int, mode_t)>("openat")(folder, name, flags, mode),
                  path);
}

FILE* open_stream(const char* symbol, const char* name, const char* mode) {
  const int error = verdict("fopen", name, {EMFILE, EACCES});
  if (error != 0) return failed<FILE*>(error, nullptr);
  FILE* const stream = real<FILE*(const char*, const char*)>(symbol)(name, mode);
  if (stream != nullptr) (void)remember(::fileno(stream), name);
  return stream;
}

}  // namespace

#define SHIM(result) extern "C" __attribute__((visibility("default"))) result

SHIM(int) open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at("open", AT_FDCWD, name, flags, mode);
}
SHIM(int) open64(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at("open", AT_FDCWD, name, flags, mode);
}
SHIM(int) openat(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  // real() finds the next one: this name is no loop.
  return open_at("openat", folder, name, flags, mode);
}
SHIM(int) openat64(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at("openat", folder, name, flags, mode);
}
SHIM(FILE*) fopen(const char* name, const char* mode) { return open_stream("fopen", name, mode); }
SHIM(FILE*) fopen64(const char* name, const char* mode) {
  return open_stream("fopen64", name, mode);
}

SHIM(ssize_t) read(int file, void* bytes, size_t size) {
  const int error = verdict("read", path_of(file), {EIO, EINTR});
  if (error != 0) return failed<ssize_t>(error, -1);
  return real<ssize_t(int, void*, size_t)>("read")(file, bytes, size);
}

SHIM(ssize_t) write(int file, const void* bytes, size_t size) {
  const int error = verdict("write", path_of(file), {ENOSPC, EIO, EINTR});
  if (error != 0) return failed<ssize_t>(error, -1);
  return real<ssize_t(int, const void*, size_t)>("write")(file, bytes, size);
}
SHIM(ssize_t) writev(int file, const iovec* parts, int count) {
  const int error = verdict("writev", path_of(file), {ENOSPC, EIO});
  if (error != 0) return failed<ssize_t>(error, -1);
  return real<ssize_t(int, const iovec*, int)>("writev")(file, parts, count);
}
SHIM(int) close(int file) {
  const std::string path = path_of(file);
  (void)remember(file, {});
  const int error = verdict("close", path, {EIO, ENOSPC});
  const int result = real<int(int)>("close")(file);
  return error != 0 ? failed(error, -1) : result;
}

#define SHIM_FILE(call, ...)                                             \
  SHIM(int) call(int file) {                                             \
    const int error = verdict(#call, path_of(file), __VA_ARGS__);        \
    return error != 0 ? failed(error, -1) : real<int(int)>(#call)(file); \
  }
SHIM_FILE(fsync, {EIO, ENOSPC})
SHIM_FILE(fdatasync, {EIO, ENOSPC})

SHIM(int) flock(int file, int operation) {
  const int error = verdict("flock", path_of(file), {EINTR, ENOLCK});
  return error != 0 ? failed(error, -1) : real<int(int, int)>("flock")(file, operation);
}
SHIM(int) fchmod(int file, mode_t mode) {
  const int error = verdict("fchmod", path_of(file), {EPERM, EIO});
  return error != 0 ? failed(error, -1) : real<int(int, mode_t)>("fchmod")(file, mode);
}
SHIM(int) ftruncate(int file, off_t size) {
  const int error = verdict("ftruncate", path_of(file), {EIO});
  return error != 0 ? failed(error, -1) : real<int(int, off_t)>("ftruncate")(file, size);
}

#define SHIM_STAT(call, facts_type)                                                     \
  SHIM(int) call(const char* name, struct facts_type* facts) noexcept {                 \
    const int error = verdict(#call, path_of(AT_FDCWD, name), {EACCES, EIO});           \
    return error != 0 ? failed(error, -1)                                               \
                      : real<int(const char*, struct facts_type*)>(#call)(name, facts); \
  }
SHIM_STAT(stat, stat)
SHIM_STAT(lstat, stat)
SHIM_STAT(stat64, stat64)
SHIM_STAT(lstat64, stat64)

#define SHIM_FSTAT(call, facts_type)                                            \
  SHIM(int) call(int file, struct facts_type* facts) noexcept {                 \
    const int error = verdict(#call, path_of(file), {EIO});                     \
    return error != 0 ? failed(error, -1)                                       \
                      : real<int(int, struct facts_type*)>(#call)(file, facts); \
  }
SHIM_FSTAT(fstat, stat)
SHIM_FSTAT(fstat64, stat64)

#define SHIM_FSTATAT(call, facts_type)                                                             \
  SHIM(int) call(int folder, const char* name, struct facts_type* facts, int flags) noexcept {     \
    const int error = verdict(#call, path_of(folder, name), {EACCES, EIO});                        \
    return error != 0 ? failed(error, -1)                                                          \
                      : real<int(int, const char*, struct facts_type*, int)>(#call)(folder, name,  \
                                                                                    facts, flags); \
  }
SHIM_FSTATAT(fstatat, stat)
SHIM_FSTATAT(fstatat64, stat64)

#define SHIM_NAME(call, ...)                                                     \
  SHIM(int) call(const char* name) noexcept {                                    \
    const int error = verdict(#call, path_of(AT_FDCWD, name), __VA_ARGS__);      \
    return error != 0 ? failed(error, -1) : real<int(const char*)>(#call)(name); \
  }
SHIM_NAME(unlink, {EACCES, EIO})
SHIM_NAME(remove, {EACCES, EIO})
SHIM_NAME(rmdir, {EACCES})

SHIM(int) unlinkat(int folder, const char* name, int flags) noexcept {
  const int error = verdict("unlinkat", path_of(folder, name), {EACCES, EIO});
  return error != 0 ? failed(error, -1)
                    : real<int(int, const char*, int)>("unlinkat")(folder, name, flags);
}
SHIM(int) mkdir(const char* name, mode_t mode) noexcept {
  const int error = verdict("mkdir", path_of(AT_FDCWD, name), {EACCES, ENOSPC});
  return error != 0 ? failed(error, -1) : real<int(const char*, mode_t)>("mkdir")(name, mode);
}
SHIM(int) chmod(const char* name, mode_t mode) noexcept {
  const int error = verdict("chmod", path_of(AT_FDCWD, name), {EPERM});
  return error != 0 ? failed(error, -1) : real<int(const char*, mode_t)>("chmod")(name, mode);
}
SHIM(int) rename(const char* from, const char* to) noexcept {
  const int error = verdict("rename", path_of(AT_FDCWD, to), {EACCES, ENOSPC, EIO});
  return error != 0 ? failed(error, -1) : real<int(const char*, const char*)>("rename")(from, to);
}
SHIM(int) renameat(int old, const char* from, int folder, const char* to) noexcept {
  const int error = verdict("renameat", path_of(folder, to), {EACCES, ENOSPC, EIO});
  return error != 0
             ? failed(error, -1)
             : real<int(int, const char*, int, const char*)>("renameat")(old, from, folder, to);
}
SHIM(int) link(const char* from, const char* to) noexcept {
  const int error = verdict("link", path_of(AT_FDCWD, to), {EPERM, ENOSPC});
  return error != 0 ? failed(error, -1) : real<int(const char*, const char*)>("link")(from, to);
}
SHIM(int) linkat(int old, const char* from, int folder, const char* to, int flags) noexcept {
  const int error = verdict("linkat", path_of(folder, to), {EPERM, ENOSPC});
  return error != 0 ? failed(error, -1)
                    : real<int(int, const char*, int, const char*, int)>("linkat")(
                          old, from, folder, to, flags);
}
SHIM(int) symlinkat(const char* text, int folder, const char* name) noexcept {
  const int error = verdict("symlinkat", path_of(folder, name), {EPERM, ENOSPC});
  return error != 0 ? failed(error, -1)
                    : real<int(const char*, int, const char*)>("symlinkat")(text, folder, name);
}
SHIM(ssize_t) readlinkat(int folder, const char* name, char* text, size_t size) noexcept {
  const int error = verdict("readlinkat", path_of(folder, name), {EACCES, EIO});
  return error != 0 ? failed<ssize_t>(error, -1)
                    : real<ssize_t(int, const char*, char*, size_t)>("readlinkat")(folder, name,
                                                                                   text, size);
}
SHIM(int) utimensat(int folder, const char* name, const timespec* times, int flags) noexcept {
  const int error = verdict("utimensat", path_of(folder, name), {EPERM});
  return error != 0 ? failed(error, -1)
                    : real<int(int, const char*, const timespec*, int)>("utimensat")(folder, name,
                                                                                     times, flags);
}

SHIM(DIR*) opendir(const char* name) {
  const int error = verdict("opendir", path_of(AT_FDCWD, name), {EMFILE, EACCES});
  if (error != 0) return failed<DIR*>(error, nullptr);
  DIR* const folder = real<DIR*(const char*)>("opendir")(name);
  if (folder != nullptr) (void)remember(::dirfd(folder), name);
  return folder;
}
SHIM(DIR*) fdopendir(int file) {
  const int error = verdict("fdopendir", path_of(file), {ENOMEM});
  return error != 0 ? failed<DIR*>(error, nullptr) : real<DIR*(int)>("fdopendir")(file);
}
SHIM(dirent*) readdir(DIR* folder) {
  const int error = verdict("readdir", path_of(::dirfd(folder)), {EIO});
  return error != 0 ? failed<dirent*>(error, nullptr) : real<dirent*(DIR*)>("readdir")(folder);
}
SHIM(dirent64*) readdir64(DIR* folder) {
  const int error = verdict("readdir", path_of(::dirfd(folder)), {EIO});
  return error != 0 ? failed<dirent64*>(error, nullptr)
                    : real<dirent64*(DIR*)>("readdir64")(folder);
}
