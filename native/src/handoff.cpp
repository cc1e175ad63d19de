// The hand-over addon: what Node cannot do itself. It gives descriptors to another process over a sequenced-packet Unix
// socket, holds a lock on a file, and returns memory that nobody uses.
#include <fcntl.h>
#include <malloc.h>
#include <node_api.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace {

napi_value fail(napi_env env, const char* what, int error) {
  const std::string message = std::string(what) + ": " + std::strerror(error);
  napi_throw_error(env, strerrorname_np(error), message.c_str());
  return nullptr;
}

bool arguments(napi_env env, napi_callback_info info, size_t wanted, napi_value* values) {
  size_t count = wanted;
  return napi_get_cb_info(env, info, &count, values, nullptr, nullptr) == napi_ok && count == wanted;
}

bool read_text(napi_env env, napi_value value, std::string& out) {
  size_t size = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &size) != napi_ok) return false;
  out.resize(size);
  return napi_get_value_string_utf8(env, value, out.data(), size + 1, &size) == napi_ok;
}

napi_value number(napi_env env, int value) {
  napi_value result = nullptr;
  napi_create_int32(env, value, &result);
  return result;
}

napi_value boolean(napi_env env, bool value) {
  napi_value result = nullptr;
  napi_get_boolean(env, value, &result);
  return result;
}

// connect(path: string): number
napi_value connect_to(napi_env env, napi_callback_info info) {
  napi_value value = nullptr;
  std::string path;
  sockaddr_un address{};
  if (!arguments(env, info, 1, &value) || !read_text(env, value, path)) return fail(env, "connect", EINVAL);
  if (path.size() >= sizeof address.sun_path) return fail(env, "connect", ENAMETOOLONG);
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(env, "socket", errno);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    close(fd);
    return fail(env, "connect", error);
  }
  return number(env, fd);
}

// send(socket: number, message: string, descriptor: number): boolean — false when the queue is full.
napi_value send_descriptor(napi_env env, napi_callback_info info) {
  napi_value values[3];
  int socket = -1;
  int descriptor = -1;
  std::string text;
  if (!arguments(env, info, 3, values) || napi_get_value_int32(env, values[0], &socket) != napi_ok ||
      !read_text(env, values[1], text) || napi_get_value_int32(env, values[2], &descriptor) != napi_ok) {
    return fail(env, "send", EINVAL);
  }
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec piece{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
  if (sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return boolean(env, true);
  if (errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS) return boolean(env, false);
  return fail(env, "send", errno);
}

// close(socket: number): void
napi_value close_socket(napi_env env, napi_callback_info info) {
  napi_value value = nullptr;
  int fd = -1;
  if (!arguments(env, info, 1, &value) || napi_get_value_int32(env, value, &fd) != napi_ok) return fail(env, "close", EINVAL);
  close(fd);
  return nullptr;
}

// lock(path: string, text: string): boolean — false when another process holds it. The lock lives as long as the process.
napi_value lock_file(napi_env env, napi_callback_info info) {
  napi_value values[2];
  std::string path;
  std::string text;
  if (!arguments(env, info, 2, values) || !read_text(env, values[0], path) || !read_text(env, values[1], text)) {
    return fail(env, "lock", EINVAL);
  }
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return fail(env, "open", errno);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    close(fd);
    return error == EWOULDBLOCK ? boolean(env, false) : fail(env, "flock", error);
  }
  if (ftruncate(fd, 0) != 0 || write(fd, text.data(), text.size()) < 0) return fail(env, "write", errno);
  return boolean(env, true);
}

void trim_now(napi_env, void*) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void delete_work(napi_env env, napi_status, void* data) {
  auto* work = static_cast<napi_async_work*>(data);
  napi_delete_async_work(env, *work);
  delete work;
}

// trim(): void — gives the system back what the allocator keeps of memory that was freed; it goes on in another thread.
napi_value trim_memory(napi_env env, napi_callback_info) {
  napi_value name = nullptr;
  auto* work = new napi_async_work{};
  napi_create_string_utf8(env, "trim", NAPI_AUTO_LENGTH, &name);
  if (napi_create_async_work(env, nullptr, name, trim_now, delete_work, work, work) != napi_ok) {
    delete work;
    return fail(env, "trim", ENOMEM);
  }
  napi_queue_async_work(env, *work);
  return nullptr;
}

// What an ended thread has freed lies at the end of its arena, where malloc_trim does not look, and glibc leaves up to 64 MB of it
// there once something large was freed. Limits that are set do not grow (mallopt(3), M_MMAP_THRESHOLD).
void keep_little() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

napi_value init(napi_env env, napi_value exports) {
  keep_little();
  const napi_property_descriptor functions[] = {
      {"connect", nullptr, connect_to, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"send", nullptr, send_descriptor, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"close", nullptr, close_socket, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"lock", nullptr, lock_file, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"trim", nullptr, trim_memory, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  napi_define_properties(env, exports, sizeof functions / sizeof functions[0], functions);
  return exports;
}

}  // namespace

NAPI_MODULE(NODE_GYP_MODULE_NAME, init)
