//===-- lending/relay/tls.cpp - TLS over a socket -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/tls.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <cstring>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace gpuexec::relay {

/// Both suites' hash is SHA-256, which an external PSK is bound to.
static constexpr char SUITES[] =
    "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";
static constexpr unsigned char AES_128_GCM_SHA256[] = {0x13, 0x01};
static constexpr llvm::StringLiteral IDENTITY = "gpuexec";
static const unsigned char *identity() {
  return reinterpret_cast<const unsigned char *>(IDENTITY.data());
}

namespace {
struct FreeMethod {
  void operator()(BIO_METHOD *method) const { BIO_meth_free(method); }
};
} // namespace

struct Tls::Library {
  std::optional<lending::Key> key;
  bool has_certificate = false;
  SSL_CTX *context = nullptr;
  SSL *connection = nullptr;
  BIO *sending = nullptr; ///< belongs to `connection`
  Pump *pump = nullptr;
  std::unique_ptr<BIO_METHOD, FreeMethod> method;

  ~Library() {
    SSL_free(connection);
    SSL_CTX_free(context);
    if (key)
      OPENSSL_cleanse(key->data(), key->size());
  }
  bool set_up(Role role);
  llvm::Error use(const lending::Credentials &credentials);
  bool expect_host(const std::string &host);
  BIO *new_pump(Pump &pump);
  bool set_pump(Pump &pump);
  SSL_SESSION *session() const;
  static int find_key(SSL *ssl, const unsigned char *identity, size_t size,
                      SSL_SESSION **session);
  static int offer_key(SSL *ssl, const EVP_MD *hash, const unsigned char **name,
                       size_t *size, SSL_SESSION **session);
};

/// The key in the form of a session, which OpenSSL wants. The caller owns it.
SSL_SESSION *Tls::Library::session() const {
  SSL_SESSION *session = SSL_SESSION_new();
  const SSL_CIPHER *cipher = SSL_CIPHER_find(connection, AES_128_GCM_SHA256);
  if (session && cipher &&
      SSL_SESSION_set1_master_key(session, key->data(), key->size()) &&
      SSL_SESSION_set_cipher(session, cipher) &&
      SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) &&
      SSL_SESSION_set1_id_context(session, identity(), IDENTITY.size()))
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
  *name = identity();
  *size = IDENTITY.size();
  *session = library->session();
  return *session != nullptr;
}

namespace {

Pump &pump_of(BIO *bio) { return *static_cast<Pump *>(BIO_get_data(bio)); }

int pump_out(BIO *bio, const char *bytes, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t sent = pump_of(bio).send(bytes, size_t(size));
  if (sent < 0 && BIO_sock_should_retry(-1))
    BIO_set_retry_write(bio);
  return int(sent);
}

int pump_in(BIO *bio, char *to, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t got = pump_of(bio).receive(to, size_t(size));
  if (got < 0 && BIO_sock_should_retry(-1))
    BIO_set_retry_read(bio);
  if (got == 0)
    BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return int(got);
}

long pump_control(BIO *bio, int command, long, void *) {
  if (command == BIO_CTRL_EOF)
    return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
  return command == BIO_CTRL_FLUSH;
}

} // namespace

/// A BIO with which TLS uses the pump in place of a socket.
BIO *Tls::Library::new_pump(Pump &pump) {
  if (!method) {
    method.reset(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "pump"));
    if (!method || !BIO_meth_set_write(method.get(), pump_out) ||
        !BIO_meth_set_read(method.get(), pump_in) ||
        !BIO_meth_set_ctrl(method.get(), pump_control))
      return nullptr;
  }
  BIO *bio = BIO_new(method.get());
  if (bio) {
    BIO_set_data(bio, &pump);
    BIO_set_init(bio, 1);
  }
  return bio;
}

/// Buffers records and sends four with one system call: more would not fit the
/// processor's second-level cache.
bool Tls::Library::set_pump(Pump &pump) {
  this->pump = &pump;
  constexpr long SENT_TOGETHER = 64l << 10;
  if (pump.has_threads())
    SSL_set_default_read_buffer_len(connection, READ_AHEAD_OF_THREADS);
  BIO *receiving = new_pump(pump), *plain = new_pump(pump),
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

bool Tls::Library::set_up(Role role) {
  // OpenSSL reads no configuration file, which could allow more than this.
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
  // Reads several records with one system call.
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, size_t(128) << 10);
  // A side that uses the key shows no certificate. A client without an
  // authority trusts no certificate.
  if (role == Role::client || has_certificate)
    SSL_CTX_set_verify(
        context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  if (key && role == Role::client)
    SSL_CTX_set_psk_use_session_callback(context, &Library::offer_key);
  if (key && role == Role::server)
    SSL_CTX_set_psk_find_session_callback(context, &Library::find_key);
  // OpenSSL takes the key for a session, and refuses a session of another
  // context.
  return SSL_CTX_set_session_id_context(context, identity(), IDENTITY.size());
}

namespace {

template <typename T, void (*FREE)(T *)> struct Free {
  void operator()(T *object) const { FREE(object); }
};
template <typename T, void (*FREE)(T *)>
using Owned = std::unique_ptr<T, Free<T, FREE>>;
using Certificate = Owned<X509, X509_free>;
using PrivateKey = Owned<EVP_PKEY, EVP_PKEY_free>;

void free_all(BIO *bio) { BIO_free_all(bio); }
Owned<BIO, free_all> memory_of(llvm::StringRef text) {
  return Owned<BIO, free_all>(BIO_new_mem_buf(text.data(), int(text.size())));
}

/// Makes OpenSSL fail for an encrypted file instead of asking for a password.
int no_password(char *, int, int, void *) { return -1; }

/// The certificates of a PEM file, in order; empty: no complete one is there.
std::vector<Certificate> certificates_of(llvm::StringRef text) {
  std::vector<Certificate> found;
  auto file = memory_of(text);
  while (file) {
    Certificate next(
        PEM_read_bio_X509(file.get(), nullptr, &no_password, nullptr));
    if (!next)
      break;
    found.push_back(std::move(next));
  }
  ERR_clear_error(); // the file's end is an error to OpenSSL
  return found;
}

llvm::Error of_no_use(llvm::StringRef why) {
  return failure(Reason::failed, "this side's {0}", why);
}

} // namespace

llvm::Error Tls::Library::use(const lending::Credentials &credentials) {
  if (!credentials.has_certificate())
    return llvm::Error::success();
  std::vector<Certificate> chain = certificates_of(credentials.certificate);
  if (chain.empty() ||
      SSL_CTX_use_certificate(context, chain.front().get()) != 1)
    return of_no_use("certificate is none that can be used (PEM)");
  for (const Certificate &other : llvm::drop_begin(chain))
    if (SSL_CTX_add1_chain_cert(context, other.get()) != 1)
      return of_no_use("certificate cannot be used with those behind it");
  if (X509_cmp_current_time(X509_get0_notBefore(chain.front().get())) > 0)
    return of_no_use("certificate is not yet valid");
  if (X509_cmp_current_time(X509_get0_notAfter(chain.front().get())) < 0)
    return of_no_use("certificate has expired");
  auto file = memory_of(credentials.certificate_key);
  PrivateKey private_key(
      PEM_read_bio_PrivateKey(file.get(), nullptr, &no_password, nullptr));
  if (!private_key)
    return of_no_use("certificate key is none that can be used (PEM, without a "
                     "password)");
  if (SSL_CTX_use_PrivateKey(context, private_key.get()) != 1)
    return of_no_use("certificate key is that of another certificate");
  std::vector<Certificate> trusted = certificates_of(credentials.authority);
  if (trusted.empty())
    return of_no_use("authority has no certificate (PEM)");
  for (const Certificate &each : trusted)
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), each.get()) != 1)
      return of_no_use("authority cannot be used");
  return llvm::Error::success();
}

/// The server's certificate must have `host`, an IP address or a host name,
/// among its names.
bool Tls::Library::expect_host(const std::string &host) {
  X509_VERIFY_PARAM *expected = SSL_get0_param(connection);
  X509_VERIFY_PARAM_set_hostflags(expected,
                                  X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) ||
         (X509_VERIFY_PARAM_set1_host(expected, host.c_str(), 0) &&
          SSL_set_tlsext_host_name(connection, host.c_str()));
}

Tls::Tls(std::unique_ptr<Library> library) : library(std::move(library)) {}
Tls::~Tls() = default;

llvm::Expected<std::unique_ptr<Tls>>
Tls::create(Role role, Pump &pump, const lending::Credentials &credentials,
            const std::string &host) {
  auto library = std::make_unique<Library>();
  library->key = credentials.key;
  library->has_certificate = credentials.has_certificate();
  auto cannot = [] {
    return failure(Reason::failed, "the relay cannot use TLS");
  };
  if (!library->set_up(role))
    return cannot();
  if (llvm::Error error = library->use(credentials))
    return std::move(error);
  library->connection = SSL_new(library->context);
  if (!library->connection || !library->set_pump(pump) ||
      (role == Role::client && !library->expect_host(host)))
    return cannot();
  SSL_set_app_data(library->connection, library.get());
  role == Role::client ? SSL_set_connect_state(library->connection)
                       : SSL_set_accept_state(library->connection);
  return std::unique_ptr<Tls>(new Tls(std::move(library)));
}

llvm::Error Tls::check(const lending::Credentials &credentials) {
  Pump none(-1, /*has_threads=*/false);
  return create(Role::server, none, credentials, {}).takeError();
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

/// True when the other side has proved that it has the key, which OpenSSL
/// reports as a reused session, or has shown a certificate that OpenSSL has
/// verified.
bool Tls::knows_other_side() {
  SSL *connection = library->connection;
  if (SSL_session_reused(connection))
    return library->key.has_value();
  return library->has_certificate && SSL_get0_peer_certificate(connection) &&
         SSL_get_verify_result(connection) == X509_V_OK;
}

Tls::Result Tls::shake_hands() {
  ERR_clear_error();
  const Result result = result_of(SSL_do_handshake(library->connection));
  if (result == Result::failed)
    if (long why = SSL_get_verify_result(library->connection); why != X509_V_OK)
      what_failed = X509_verify_cert_error_string(why);
  if (result == Result::done && !knows_other_side()) {
    what_failed = "it has shown neither the key nor a certificate";
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
  library->pump->drain(std::chrono::seconds(1));
}

} // namespace gpuexec::relay
