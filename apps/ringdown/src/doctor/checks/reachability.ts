import { isLoopback } from '@ringdown/node-http';
import { hostname } from 'node:os';
import { connect } from 'node:net';
import { nodeErrorCode } from '@ringdown/errors';
import type { Check } from '../check.js';
import { ok, unknown, warning, type Finding } from '../finding.js';
import { ownAddresses } from './names.js';
import type { System } from '../system.js';

export interface ReachabilityFacts {
  readonly isWebClosed: boolean;
  /** The first of PUBLIC_ORIGIN; undefined if it is not set. */
  readonly origin: string | undefined;
  /** Why a connection to it failed from here; undefined if it did not, or nothing runs. */
  readonly refusal: string | undefined;
  /** What a front end would post to; undefined if the feed is closed. */
  readonly feedUrl: string | undefined;
}

export function reachabilityFindings({ isWebClosed, origin, refusal, feedUrl }: ReachabilityFacts): readonly Finding[] {
  return [
    ...(isWebClosed
      ? [warning('the web interface listens for this machine alone (LISTEN_HOST)', 'LISTEN_HOST=0.0.0.0')]
      : []),
    ...(refusal === undefined || origin === undefined
      ? []
      : [
          warning(
            `${origin} (PUBLIC_ORIGIN) cannot be reached from here: ${refusal}`,
            'open the port in the firewall, and forward it from the router; some routers do not connect a machine to their own outer address',
          ),
        ]),
    ...(feedUrl === undefined
      ? []
      : [
          unknown(
            'whether front ends reach the collector cannot be told from here',
            `run on a front end: curl -i -X POST ${feedUrl} -H 'Content-Type: text/xml' — an answer of any status, as 400, means that they do`,
          ),
        ]),
    ...(!isWebClosed && refusal === undefined && feedUrl === undefined ? [ok('nothing else is to be reached')] : []),
  ];
}

export const REACHABILITY: Check = {
  name: 'reachability',
  looksAt:
    'an interface that listens for this machine alone, a PUBLIC_ORIGIN that does not answer; what to run on a front end',
  examine: async (system) => {
    const { settings, env, feed, running } = system;
    const origin = env['PUBLIC_ORIGIN'] === undefined ? undefined : settings.publicOrigins.first;
    return reachabilityFindings({
      isWebClosed: isLoopback(settings.listenHost),
      origin,
      refusal: running === undefined || origin === undefined ? undefined : await refusalOf(new URL(origin)),
      feedUrl: isLoopback(feed.host) ? undefined : feedUrl(feed),
    });
  },
};

function feedUrl({ host, httpPort, httpsPort }: System['feed']): string {
  const named = host === '0.0.0.0' || host === '::' ? (ownAddresses()[0] ?? hostname()) : host;
  const address = named.includes(':') ? `[${named}]` : named;
  return httpPort === undefined ? `https://${address}:${httpsPort}/` : `http://${address}:${httpPort}/`;
}

const CONNECT_MS = 4_000;

async function refusalOf({ hostname: host, port }: URL): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port: Number(port || 443), timeout: CONNECT_MS });
  socket.once('connect', () => resolve(undefined));
  socket.once('timeout', () => resolve('no answer'));
  socket.once('error', (error) => resolve(nodeErrorCode(error) ?? error.message));
  return promise.finally(() => socket.destroy());
}
