// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#pragma once

/// The work of a program in C over the same client library, for a comparison with the adapter.
///
/// Each function connects, works, and disconnects. It returns the seconds of the work without the connection, or a negative
/// number if something went wrong.

/// Publishes a number of messages into a stream, each with an id, with at most `inFlight` unconfirmed, and waits for
/// all confirmations.
double baseline_publish(const char *url, const char *subject, int size, int count, int inFlight);

/// Fetches a number of messages from a durable consumer, in batches, and acknowledges each without waiting for an
/// answer.
double baseline_consume(
    const char *url, const char *stream, const char *consumer, const char *subject, int count, int batch);
