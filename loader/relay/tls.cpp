//===-- loader/relay/tls.cpp - TLS over a socket --------------------------===//
#include "loader/relay/tls.h"
#include <cerrno>
#include <cstring>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace gpuexec::relay {

/// Both suites' hash is SHA-256, which an external PSK is bound to.
static constexpr char SUITES[] =
    "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";
static constexpr unsigned char AES_128_GCM_SHA256[] = {0x13, 0x01};
static constexpr llvm::StringLiteral IDENTITY = "gpuexec";

struct Tls::Library {
  lent::Key key{};
  SSL_CTX *context = nullptr;
  SSL *connection = nullptr;
  BIO *sending = nullptr; ///< the connection's

  ~Library() {
    SSL_free(connection);
    SSL_CTX_free(context);
    OPENSSL_cleanse(key.data(), key.size());
  }
  bool set_up(Role role, int socket);
  bool set_socket(int socket);
  SSL_SESSION *session() const;
  static int find_key(SSL *ssl, const unsigned char *identity, size_t size,
                      SSL_SESSION **session);
  static int offer_key(SSL *ssl, const EVP_MD *hash, const unsigned char **name,
                       size_t *size, SSL_SESSION **session);
};

/// The key as OpenSSL wants to have it; the caller's.
SSL_SESSION *Tls::Library::session() const {
  SSL_SESSION *session = SSL_SESSION_new();
  const SSL_CIPHER *cipher = SSL_CIPHER_find(connection, AES_128_GCM_SHA256);
  if (session && cipher &&
      SSL_SESSION_set1_master_key(session, key.data(), key.size()) &&
      SSL_SESSION_set_cipher(session, cipher) &&
      SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION))
    return session;
  SSL_SESSION_free(session);
  return nullptr;
}

int Tls::Library::find_key(SSL *ssl, const unsigned char *identity, size_t size,
                           SSL_SESSION **session) {
  auto *library = static_cast<Library *>(SSL_get_app_data(ssl));
  *session = nullptr; // for another identity: the handshake fails later
  if (llvm::StringRef(reinterpret_cast<const char *>(identity), size) ==
      IDENTITY)
    *session = library->session();
  return 1;
}

int Tls::Library::offer_key(SSL *ssl, const EVP_MD *hash,
                            const unsigned char **name, size_t *size,
                            SSL_SESSION **session) {
  auto *library = static_cast<Library *>(SSL_get_app_data(ssl));
  *session = nullptr;
  if (hash && EVP_MD_get_type(hash) != NID_sha256)
    return 1;
  *name = reinterpret_cast<const unsigned char *>(IDENTITY.data());
  *size = IDENTITY.size();
  *session = library->session();
  return *session != nullptr;
}

/// Records are collected, and four go with one call: more would leave the
/// processor's second cache.
bool Tls::Library::set_socket(int socket) {
  constexpr long SENT_TOGETHER = 64l << 10;
  BIO *receiving = BIO_new_socket(socket, BIO_NOCLOSE),
      *plain = BIO_new_socket(socket, BIO_NOCLOSE),
      *buffer = BIO_new(BIO_f_buffer());
  if (!receiving || !plain || !buffer ||
      !BIO_set_write_buffer_size(buffer, SENT_TOGETHER)) {
    for (BIO *each : {receiving, plain, buffer})
      BIO_free(each);
    return false;
  }
  sending = BIO_push(buffer, plain);
  SSL_set_bio(connection, receiving, sending);
  return true;
}

bool Tls::Library::set_up(Role role, int socket) {
  // Neither its configuration file nor its environment says what is allowed.
  if (!OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr))
    return false;
  context = SSL_CTX_new(role == Role::client ? TLS_client_method()
                                             : TLS_server_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(context, SUITES))
    return false;
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Several records with one call.
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, size_t(128) << 10);
  if (role == Role::client) {
    // A server that shows a certificate instead: no authority is trusted.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_psk_use_session_callback(context, &Library::offer_key);
  } else {
    SSL_CTX_set_psk_find_session_callback(context, &Library::find_key);
  }
  connection = SSL_new(context);
  if (!connection || !set_socket(socket))
    return false;
  SSL_set_app_data(connection, this);
  if (role == Role::client)
    SSL_set_connect_state(connection);
  else
    SSL_set_accept_state(connection);
  return true;
}

Tls::Tls(std::unique_ptr<Library> library) : library(std::move(library)) {}
Tls::~Tls() = default;

std::unique_ptr<Tls> Tls::create(Role role, int socket, const lent::Key &key) {
  auto library = std::make_unique<Library>();
  library->key = key;
  if (!library->set_up(role, socket))
    return nullptr;
  return std::unique_ptr<Tls>(new Tls(std::move(library)));
}

Tls::Result Tls::result_of(int code) {
  const int system_error = errno;
  switch (SSL_get_error(library->connection, code)) {
  case SSL_ERROR_NONE:
    return Result::done;
  case SSL_ERROR_WANT_READ:
    return Result::wants_read;
  case SSL_ERROR_WANT_WRITE:
    return Result::wants_write;
  case SSL_ERROR_ZERO_RETURN:
    return Result::closed;
  default:
    break;
  }
  const unsigned long error = ERR_get_error();
  if (!error)
    what_failed = system_error ? std::strerror(system_error) : "it has ended";
  else if (ERR_GET_REASON(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
    what_failed = "it has ended";
  else if (ERR_SYSTEM_ERROR(error))
    what_failed = std::strerror(ERR_GET_REASON(error));
  else
    what_failed = ERR_reason_error_string(error)
                      ? ERR_reason_error_string(error)
                      : "an error of TLS";
  ERR_clear_error();
  return Result::failed;
}

Tls::Result Tls::shake_hands() {
  ERR_clear_error();
  const Result result = result_of(SSL_do_handshake(library->connection));
  // "Reused": it was made with the key and no certificate.
  if (result == Result::done && !SSL_session_reused(library->connection)) {
    what_failed = "it has not shown that it has the key";
    return Result::failed;
  }
  return result;
}

Tls::Result Tls::read(llvm::MutableArrayRef<char> to, size_t &size) {
  ERR_clear_error();
  return result_of(
      SSL_read_ex(library->connection, to.data(), to.size(), &size));
}

Tls::Result Tls::write(llvm::StringRef from, size_t &size) {
  ERR_clear_error();
  return result_of(
      SSL_write_ex(library->connection, from.data(), from.size(), &size));
}

Tls::Result Tls::flush() {
  ERR_clear_error();
  if (BIO_flush(library->sending) > 0)
    return Result::done;
  if (BIO_should_retry(library->sending))
    return Result::wants_write;
  what_failed = std::strerror(errno);
  return Result::failed;
}

bool Tls::is_buffering() const { return BIO_wpending(library->sending) > 0; }

void Tls::close() {
  ERR_clear_error();
  SSL_shutdown(library->connection);
  flush();
}

} // namespace gpuexec::relay
