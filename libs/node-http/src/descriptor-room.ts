import { SettingsError } from '@ringdown/settings';
import { readFileSync } from 'node:fs';

/** A limit of connections as set, and the number of ports that each have it. */
export interface WantedConnections {
  /** The name of its setting. */
  readonly setting: string;
  readonly perPort: number;
  readonly ports: number;
}

/**
 * Descriptors of a process besides clients: 33 of an idle `npm start`; the rest is for files, the database, requests to other servers, and
 * processes that read captures.
 */
const RESERVED = 128;
/** With fewer, a port cannot be used. */
const LEAST_PER_PORT = 16;
/** Fewer connections per port are worth a warning, also if nobody has set more. */
const USUAL_PER_PORT = 1_000;

export interface FittedConnections {
  /** Connections of each port, by the name of the setting. */
  readonly perPort: Readonly<Record<string, number>>;
  /** What to tell the operator; undefined if nothing is reduced. */
  readonly reduced: { readonly line: string; readonly isSerious: boolean } | undefined;
}

/**
 * Reduces limits of connections until all ports together fit into the descriptors of the process: a process without a free one can start
 * no program, open no file, and ask no other server. Settings share what there is equally. Throws a SettingsError if there is too little.
 */
export function fitConnections(
  wanted: readonly WantedConnections[],
  descriptors: number | undefined = descriptorLimit(),
): FittedConnections {
  const perPort: Record<string, number> = Object.fromEntries(wanted.map((each) => [each.setting, each.perPort]));
  const all = wanted.reduce((sum, each) => sum + each.perPort * each.ports, 0);
  const room = descriptors === undefined ? Infinity : descriptors - RESERVED;
  if (all <= room) return { perPort, reduced: undefined };
  const ports = wanted.reduce((sum, each) => sum + each.ports, 0);
  const limit = `${descriptors} files and connections at the same time (ulimit -n)`;
  if (room < ports * LEAST_PER_PORT) {
    const least = RESERVED + ports * LEAST_PER_PORT;
    throw new SettingsError([`this process may open only ${limit}; it needs at least ${least}`]);
  }
  let left = room;
  // Those that want least come first, so that what they leave is shared by the others.
  const bySize = wanted.toSorted((a, b) => a.perPort * a.ports - b.perPort * b.ports);
  for (const [at, { setting, perPort: each, ports: of }] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - at));
    const fitting = Math.min(each, Math.floor(share / of));
    perPort[setting] = fitting;
    left -= fitting * of;
  }
  const changes = wanted.filter(({ setting, perPort: each }) => (perPort[setting] ?? each) < each);
  const list = changes.map(({ setting, perPort: each }) => `${setting} from ${each} to ${perPort[setting]}`).join(', ');
  const isSerious = changes.some(({ setting }) => (perPort[setting] ?? 0) < USUAL_PER_PORT);
  return { perPort, reduced: { line: `this process may open only ${limit}; reduced ${list}`, isSerious } };
}

/** The connections of one address on a port whose limit was reduced: none may occupy the port alone. */
export function fitPerAddress(perAddress: number, set: number, fitted: number): number {
  return fitted < set ? Math.min(perAddress, Math.ceil(fitted / 2)) : perAddress;
}

/**
 * How many descriptors this process may have; undefined where the system does not tell. Node has raised the limit to the hard one at its
 * start (`PlatformInit` in src/node.cc), and child processes inherit it.
 */
export function descriptorLimit(): number | undefined {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has it.
    return undefined;
  }
  const [, soft] = /^Max open files +(\d{1,18}) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
