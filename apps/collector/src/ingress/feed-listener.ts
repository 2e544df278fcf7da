import { closableConnections, listenOn, NetworkList, type RawAnswer } from '@ringdown/node-http';
import { answerConnect, answerUnreadable, hostCheckedLater, PlainConnections } from '@ringdown/node-http/requests';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer, type TLSSocket } from 'node:tls';
import type { CollectorMetrics } from './collector-metrics.js';
import { ConnectionGate } from './connection-gate.js';
import type { BatchInlet } from './batch-inlet.js';
import type { FeedInlet } from './feed-inlet.js';
import { FeedHandler } from './feed-handler.js';
import type { FeedTls } from './feed-tls.js';
import { Peers } from './peers.js';
import { PRIVATE_NETWORKS } from './private-networks.js';
import { ProxyLines } from './proxy-lines.js';
import { FEED_TYPE, FeedRefusal, type RefusalCode } from './feed-refusal.js';
import type { RejectedBodies } from './rejected-bodies.js';
import type { collectorSettings } from '../settings.js';
import { isXmlType } from './request-checks.js';
import type { SipFailureInlet } from './sip-failure-inlet.js';
import type { TraceInlet } from './trace-inlet.js';
import type { UploadTickets } from './upload-tickets.js';

export interface FeedListenerOptions {
  readonly settings: SettingValues<typeof collectorSettings>;
  readonly inlet: FeedInlet;
  readonly batchInlet: BatchInlet;
  readonly traceInlet: TraceInlet;
  readonly sipFailureInlet: SipFailureInlet;
  readonly uploadTickets: UploadTickets;
  readonly rejectedBodies: RejectedBodies;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
}

export interface FeedListener {
  /** Scheme, host and port. */
  readonly address: string;
  close(): Promise<void>;
}

/** The interval for detecting requests that exceed their limit; Node's own 30 seconds are long for short limits. */
const CHECK_CONNECTIONS_MS = 1_000;
/** The head of a request is short; a slow sender would keep a connection from others. */
const MOST_HEAD_MS = 10_000;
/** TCP detects a front end that lost its power, long before the idle time is over. */
const TCP_KEEP_ALIVE_MS = 60_000;
/** Larger bodies come in many pieces. */
const MOST_PLAIN_BYTES = 48 * 1_024;
/** A sender whose body needs longer than this behind its head gets the limits of Node. */
const PLAIN_REST_MS = 1_000;

/** Opens one port of the feed: plain HTTP, or HTTPS when `tls` is given. */
export async function openFeedListener(
  options: FeedListenerOptions,
  port: number,
  tls?: FeedTls,
): Promise<FeedListener> {
  const { settings, inlet, batchInlet, traceInlet, sipFailureInlet, uploadTickets, rejectedBodies, metrics, logger } =
    options;
  const scheme = tls === undefined ? 'http' : 'https';
  const requestMs = settings.requestSeconds * 1_000;
  const headMs = Math.min(MOST_HEAD_MS, Math.ceil((requestMs * 2) / 3));
  const proxyLines = settings.proxyProtocol === 'on' ? new ProxyLines(headMs) : undefined;
  const peers = new Peers({
    allowed: allowedSenders(settings, tls),
    addressOf: (socket) => proxyLines?.addressOf(socket) ?? socket.remoteAddress,
  });
  const handler = new FeedHandler({
    inlet,
    batchInlet,
    traceInlet,
    sipFailureInlet,
    uploadTickets,
    rejectedBodies,
    metrics,
    logger,
    maxBodyBytes: settings.maxBodyBytes,
    scheme,
    origin: settings.collectorOrigin,
    peers,
  });
  const server = feedServer(settings, { requestMs, headMs }, tls);
  const maxPerAddress = settings.maxConnectionsPerAddress;
  const plain = new PlainConnections({
    mostBytes: Math.min(settings.maxBodyBytes, MOST_PLAIN_BYTES),
    firstMs: headMs,
    restMs: PLAIN_REST_MS,
    idleMs: settings.idleSeconds * 1_000,
    isType: isXmlType,
    answer: (post, socket) => handler.answerPlain(post, socket),
    unreadable: (error, socket) => server.emit('clientError', error, socket),
  });
  new ConnectionGate({ proxyLines, maxPerAddress, metrics, logger }).guard(server, (socket, accept) => {
    // A socket of TLS is another one than the connected one.
    if (tls === undefined && peers.of(socket).isAllowed) plain.open(socket, accept);
    else accept(socket);
  });
  followHandshakes(server, options, tls);
  const closeConnections = closableConnections(server, (socket) => plain.isInUse(socket));
  handler.serve(server);
  server.on('clientError', unreadable(metrics));
  answerConnect(server, () => rawRefusal(metrics, 'method-not-allowed'));
  const opened = await listenOn(server, port, settings.collectorHost);
  const close = async (): Promise<void> => {
    handler.startClosing();
    closeConnections();
    await once(server.close(), 'close');
  };
  return { address: `${scheme}://${settings.collectorHost}:${opened}`, close };
}

/** Front ends keep one connection for days and may be silent for minutes, but send each request quickly. */
/** A client certificate takes the place of the default networks. */
function allowedSenders({ allowedNetworks }: FeedListenerOptions['settings'], tls?: FeedTls): NetworkList | 'all' {
  if (allowedNetworks === undefined && tls?.requiresCertificates) return 'all';
  return new NetworkList(allowedNetworks ?? PRIVATE_NETWORKS);
}

function feedServer(
  settings: FeedListenerOptions['settings'],
  { requestMs, headMs }: { readonly requestMs: number; readonly headMs: number },
  tls: FeedTls | undefined,
): Server {
  const options = {
    ...hostCheckedLater,
    requestTimeout: requestMs,
    headersTimeout: headMs,
    keepAliveTimeout: settings.idleSeconds * 1_000,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
  };
  const secure = tls && {
    ...tls.files,
    requestCert: tls.requiresCertificates,
    rejectUnauthorized: tls.requiresCertificates,
    handshakeTimeout: headMs,
  };
  const server = secure === undefined ? createServer(options) : createTlsServer({ ...options, ...secure });
  server.maxConnections = settings.maxConnections;
  // A sender that closes its side after its last request still waits for the reply.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

function unreadable(metrics: CollectorMetrics): ReturnType<typeof answerUnreadable> {
  return answerUnreadable((code) => rawRefusal(metrics, code));
}

function rawRefusal(metrics: CollectorMetrics, code: RefusalCode): RawAnswer {
  metrics.refuse(code);
  return { ...new FeedRefusal(code).answer(), contentType: FEED_TYPE };
}

/** A front end whose certificate is rejected learns little on its side, so the reason is logged here. */
function followHandshakes(server: Server, { metrics, logger }: FeedListenerOptions, tls: FeedTls | undefined): void {
  if (tls === undefined || !(server instanceof TlsServer)) return;
  tls.follow(server);
  const line = new RateLimitedLog();
  server.on('tlsClientError', (error: Error, { remoteAddress, authorizationError }: TLSSocket) => {
    metrics.handshakeFailed();
    // The error of the certificate, or OpenSSL's reason for the failed handshake; the rest of its message is about its
    // source.
    const reason = authorizationError ?? ('reason' in error ? error.reason : error.message);
    line.log((leftOut) =>
      logger.warn({ reason: String(reason), remoteAddress, leftOut }, 'a TLS handshake with a front end failed'),
    );
  });
}
