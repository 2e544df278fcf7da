import { isLoopback } from '@ringdown/node-http';
import { networkInterfaces } from 'node:os';
import { metricTotal } from '../../metric-total.js';
import type { Check } from '../check.js';
import { ok, warning, type Finding } from '../finding.js';

export interface FrontEndFacts {
  readonly isClosed: boolean;
  /** Networks of this machine, as `COLLECTOR_ALLOW` takes them. */
  readonly networks: readonly string[];
  /** Of the running system; undefined if none runs. */
  readonly frontEnds: number | undefined;
  readonly refused: number | undefined;
  readonly unavailable: number | undefined;
}

export function frontEndFindings({
  isClosed,
  networks,
  frontEnds,
  refused = 0,
  unavailable = 0,
}: FrontEndFacts): readonly Finding[] {
  const found = [
    ...(isClosed
      ? [
          warning(
            'only programs of this machine may post records',
            `COLLECTOR_ALLOW=${networks.join(',') || '192.0.2.0/24'}, with the networks of your front ends, and start it again`,
          ),
        ]
      : []),
    ...(frontEnds === 0
      ? [
          warning(
            'no front end has posted a record since the start',
            'set its collector URL, or run a sender beside it (docs/guides/front-ends.md, docs/guides/sender.md)',
          ),
        ]
      : []),
    ...(refused > 0
      ? [
          warning(
            `${refused} records were rejected since the start`,
            'the reasons and bodies are in "Feeds" of the console, and at /api/rejected-records',
          ),
        ]
      : []),
    ...(unavailable > 0
      ? [
          warning(
            `${unavailable} records could not be stored since the start: they are lost`,
            'look for the reason in the log and in /health/ready; is the disk full?',
          ),
        ]
      : []),
  ];
  if (found.length > 0) return found;
  return [
    ok(frontEnds === undefined ? 'the feed is open to them' : `${frontEnds} have posted records since the start`),
  ];
}

export const FRONT_ENDS: Check = {
  name: 'front ends',
  looksAt: 'a feed that is open to this machine alone, no front end that has posted, rejected and lost records',
  examine: ({ feed, exposition }) => {
    const total = (metric: string): number | undefined =>
      exposition === undefined ? undefined : metricTotal(exposition, metric);
    return frontEndFindings({
      isClosed: isLoopback(feed.host),
      networks: networksOf(networkInterfaces()),
      frontEnds: total('ringdown_collector_front_ends'),
      refused: total('ringdown_collector_refused_total'),
      unavailable: total('ringdown_collector_unavailable_total'),
    });
  },
};

/** `192.0.2.0/24` for the interface with 192.0.2.7/24. */
export function networksOf(interfaces: ReturnType<typeof networkInterfaces>): readonly string[] {
  const reachable = Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  return [...new Set(reachable.map(({ address, netmask }) => `${masked(address, netmask)}/${bitsIn(netmask)}`))];
}

function masked(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((part, index) => Number(part) & (mask[index] ?? 0))
    .join('.');
}

function bitsIn(netmask: string): number {
  return netmask.split('.').reduce((bits, part) => bits + Number(part).toString(2).replaceAll('0', '').length, 0);
}
