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
      let (reason, words): (Reason, String) =
        switch status {
        case NATS_NO_SERVER:
          (.noServer, "no server can be reached. See that one runs at the address, and that it is right.")
        case NATS_CONNECTION_AUTH_FAILED:
          (.authorization, "the server does not let this client in. See the options' `authentication`.")
        case NATS_NOT_PERMITTED: (.permissions, "the server does not permit it. See the permissions of the user.")
        case NATS_SSL_ERROR:
          (.tls, "the secure connection can't be made. See the certificates, the host's name and `tls`.")
        case NATS_SECURE_CONNECTION_WANTED: (.tls, "the server has no TLS, which the options ask for.")
        case NATS_SECURE_CONNECTION_REQUIRED: (.tls, "the server wants TLS: set the options' `tls`.")
        case NATS_CONNECTION_CLOSED, NATS_DRAINING, NATS_INVALID_SUBSCRIPTION:
          (.closed, "the connection is closed. Make another one.")
        case NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION, NATS_IO_ERROR:
          (.disconnected, "the connection is lost (\(text)). It is made again by itself; try later.")
        case NATS_INSUFFICIENT_BUFFER:
          (.disconnected, "the connection is lost, and `reconnectBufferSize` is used up. Try again later.")
        case NATS_TIMEOUT: (.noResponse, "no answer came in time.")
        case NATS_NO_RESPONDERS: (.noResponders, "nobody listens to the subject.")
        case NATS_MAX_PAYLOAD: (.payloadTooLarge, "the payload is larger than the server takes.")
        default: (.client, "the C client reports \"\(text)\" (status \(status.rawValue)).")
        }
      self.init(reason, "\(action): \(words)")
    }

    /// Makes the error for a failure that JetStream answers with.
    internal init(_ failure: API.Failure, _ action: String) {
      let code = failure.errorCode ?? failure.code
      let (reason, advice) = Self.meaning(of: code, failure.code)
      let words = failure.description ?? "no description"
      self.init(reason, "\(action): the server says \"\(words)\" (\(code)). \(advice)", code: code)
    }

    /// Returns the meaning of a code of JetStream, and what to do about it.
    private static func meaning(of code: Int, _ status: Int) -> (Reason, String) {
      switch code {
      case 10059: (.streamNotFound, "Create the stream, or see its name and the domain.")
      case 10014, 10149: (.consumerNotFound, "Create the consumer, or see its name.")
      case 10037, 10043, 10057:
        (.messageNotFound, "There is no such message: it may have been deleted, or its limit reached.")
      case 10058, 10013, 10105, 10148: (.nameInUse, "Use the same configuration, update it, or choose another name.")
      case 10071, 10164: (.wrongLastSequence, "Somebody else has published: read again, and decide again.")
      case 10054: (.payloadTooLarge, "Send less, or raise the stream's `maxMessageSize`.")
      case 10002, 10023, 10028, 10047, 10077, 10122:
        (.insufficientResources, "Free storage, raise the limits of the account or the stream, or try later.")
      case 10039, 10076, 10035: (.jetStreamUnavailable, "Turn JetStream on for the server and the account.")
      case 10008, 10009, 10006, 10007: (.jetStreamUnavailable, "The cluster has no leader at present: try again soon.")
      case 10026, 10027: (.insufficientResources, "Delete what is not used, or raise the limit of the account.")
      default:
        status == 503
          ? (.insufficientResources, "Try again later, and see the server's log.")
          : (.refused, "See the configuration.")
      }
    }
  }
#endif
