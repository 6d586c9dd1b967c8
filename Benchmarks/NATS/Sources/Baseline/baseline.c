// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include "baseline.h"

#include <nats/nats.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/// Connects with the settings of the adapter: no message waits in the client for others.
static natsStatus connectTo(const char *url, natsConnection **connection) {
  natsOptions *options = NULL;
  natsStatus status = natsOptions_Create(&options);
  if (status == NATS_OK) status = natsOptions_SetURL(options, url);
  if (status == NATS_OK) status = natsOptions_SetSendAsap(options, true);
  if (status == NATS_OK) status = natsConnection_Connect(connection, options);
  natsOptions_Destroy(options);
  return status;
}

double baseline_publish(const char *url, const char *subject, int size, int count, int inFlight) {
  natsConnection *connection = NULL;
  jsCtx *stream = NULL;
  char *payload = calloc((size_t)size, 1);
  double start = 0, seconds = -1;

  jsOptions options;
  natsStatus status = jsOptions_Init(&options);
  options.PublishAsync.MaxPending = inFlight;
  options.PublishAsync.StallWait = 60000;
  if (status == NATS_OK) status = connectTo(url, &connection);
  if (status == NATS_OK) status = natsConnection_JetStream(&stream, connection, &options);
  start = now();
  for (int i = 0; status == NATS_OK && i < count; i++) {
    // With an id, as the adapter does: without one a message whose answer is lost can't be published again.
    char id[32];
    snprintf(id, sizeof id, "%d", i);
    jsPubOptions message;
    jsPubOptions_Init(&message);
    message.MsgId = id;
    status = js_PublishAsync(stream, subject, payload, size, &message);
  }
  jsPubOptions wait;
  jsPubOptions_Init(&wait);
  wait.MaxWait = 60000;
  if (status == NATS_OK) status = js_PublishAsyncComplete(stream, &wait);
  if (status == NATS_OK) seconds = now() - start;
  jsCtx_Destroy(stream);
  natsConnection_Destroy(connection);
  free(payload);
  return seconds;
}

double baseline_consume(
    const char *url, const char *stream, const char *consumer, const char *subject, int count, int batch) {
  natsConnection *connection = NULL;
  jsCtx *context = NULL;
  natsSubscription *subscription = NULL;
  double start = 0, seconds = -1;

  jsSubOptions bound;
  jsSubOptions_Init(&bound);
  bound.Stream = stream;
  bound.Consumer = consumer;
  natsStatus status = connectTo(url, &connection);
  if (status == NATS_OK) status = natsConnection_JetStream(&context, connection, NULL);
  if (status == NATS_OK) status = js_PullSubscribe(&subscription, context, subject, consumer, NULL, &bound, NULL);
  start = now();
  int received = 0;
  while (status == NATS_OK && received < count) {
    natsMsgList list = {0};
    const int wanted = count - received < batch ? count - received : batch;
    status = natsSubscription_Fetch(&list, subscription, wanted, 10000, NULL);
    for (int i = 0; status == NATS_OK && i < list.Count; i++) status = natsMsg_Ack(list.Msgs[i], NULL);
    received += list.Count;
    natsMsgList_Destroy(&list);
  }
  if (status == NATS_OK) status = natsConnection_Flush(connection);
  if (status == NATS_OK) seconds = now() - start;
  natsSubscription_Destroy(subscription);
  jsCtx_Destroy(context);
  natsConnection_Destroy(connection);
  return seconds;
}
