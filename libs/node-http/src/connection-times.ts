/** A handshake and the head of a request are small: a client that needs longer only occupies a connection. */
const HEAD_MS = 10_000;
/** A whole request. */
const REQUEST_MS = 30_000;
/** Between a time-out and the moment that is noticed; Node's own half a minute is longer than the time-outs. */
const CHECK_CONNECTIONS_MS = 1_000;

/** How long clients may take, for Node's servers; TLS or not. */
export const connectionTimes = {
  headersTimeout: HEAD_MS,
  handshakeTimeout: HEAD_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
};
