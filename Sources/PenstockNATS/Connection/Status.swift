// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS

  extension NATSError {
    /// Makes the error for a status that a function of the C client returns.
    ///
    /// The client's own texts belong to threads and may be those of an earlier error, so they are not used.
    internal init(_ status: natsStatus, _ action: String) {
      let text = String(cString: natsStatus_GetText(status))
      switch status {
      case NATS_NO_SERVER:
        self.init(
          .noServer, "\(action): no server can be reached. See that one runs at the address, and that it is right.")
      case NATS_CONNECTION_AUTH_FAILED:
        self.init(
          .authorization, "\(action): the server does not let this client in. See the options' `authentication`.")
      case NATS_NOT_PERMITTED:
        self.init(.permissions, "\(action): the server does not permit it. See the permissions of the user.")
      case NATS_SSL_ERROR:
        self.init(
          .tls, "\(action): the secure connection can't be made. See the certificates, the host's name and `tls`.")
      case NATS_SECURE_CONNECTION_WANTED:
        self.init(.tls, "\(action): the server has no TLS, which the options ask for.")
      case NATS_SECURE_CONNECTION_REQUIRED:
        self.init(.tls, "\(action): the server wants TLS: set the options' `tls`.")
      case NATS_CONNECTION_CLOSED, NATS_DRAINING, NATS_INVALID_SUBSCRIPTION:
        self.init(.closed, "\(action): the connection is closed. Make another one.")
      case NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION, NATS_IO_ERROR:
        self.init(.disconnected, "\(action): the connection is lost (\(text)). It is made again by itself; try later.")
      case NATS_INSUFFICIENT_BUFFER:
        self.init(
          .disconnected, "\(action): the connection is lost, and `reconnectBufferSize` is used up. Try again later.")
      case NATS_TIMEOUT:
        self.init(.noResponse, "\(action): no answer came in time.")
      case NATS_NO_RESPONDERS:
        self.init(.noResponders, "\(action): nobody listens to the subject.")
      case NATS_MAX_PAYLOAD:
        self.init(.payloadTooLarge, "\(action): the payload is larger than the server takes.")
      default:
        self.init(.client, "\(action): the C client reports \"\(text)\" (status \(status.rawValue)).")
      }
    }
  }
#endif
