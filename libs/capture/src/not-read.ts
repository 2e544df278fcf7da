import type { HepProblem } from './hep/hep-error.js';

/** What a capture contains and the reader does not return, or not whole. */
export interface NotReadKind {
  readonly count: number;
  /** With the count, for a user: `33 packets in GTP were not read`. */
  readonly text: string;
}

/** More kinds than a capture has; the numbers of links are foreign. */
const MAX_KINDS = 100;
const OTHERS = 'other protocols';

const HEP_PROBLEMS: Readonly<Record<HepProblem, string>> = {
  'not-hep': 'of an unknown version',
  length: 'the length in the header is wrong, or the packet was cut',
  chunk: 'a field has an impossible length',
  address: 'unknown kind of address',
  'no-payload': 'without content',
  compression: 'the content cannot be decompressed',
  password: 'wrong password',
};

/** Counts by kind what was not read. */
export class NotRead {
  private readonly packets = new Map<string, number>();
  private readonly hep = new Map<HepProblem, number>();
  /** By the number of their protocol: at most 256. */
  private readonly hepTypes = new Map<number, number>();
  /** SIP messages of which the capture has only the beginning. */
  cutMessages = 0;
  /** Places in TCP and SCTP connections with SIP whose segments the capture does not have. */
  gaps = 0;
  /** Packets of which a fragment is missing. */
  incompletePackets = 0;

  /** A packet that could contain SIP, but within this protocol. */
  addProtocol(name: string): void {
    const kind = this.packets.has(name) || this.packets.size < MAX_KINDS ? name : OTHERS;
    this.packets.set(kind, (this.packets.get(kind) ?? 0) + 1);
  }

  /** A packet of a capture agent that cannot be read. */
  addHep(problem: HepProblem): void {
    this.hep.set(problem, (this.hep.get(problem) ?? 0) + 1);
  }

  /** A packet of a capture agent that is about something else than calls, or of no known protocol. */
  addHepType(type: number): void {
    this.hepTypes.set(type, (this.hepTypes.get(type) ?? 0) + 1);
  }

  get kinds(): readonly NotReadKind[] {
    const { cutMessages, gaps, incompletePackets } = this;
    const kinds = [...this.packets].map(([name, count]) => ({
      count,
      text: `${plural(count, `packet in ${name} was`, `packets in ${name} were`)} not read`,
    }));
    for (const [problem, count] of this.hep) {
      const what = plural(count, 'HEP packet was', 'HEP packets were');
      kinds.push({ count, text: `${what} not read: ${HEP_PROBLEMS[problem]}` });
    }
    for (const [type, count] of this.hepTypes) {
      kinds.push({
        count,
        text: `${plural(count, 'HEP packet was', 'HEP packets were')} not read: protocol type ${type}`,
      });
    }
    kinds.push(
      {
        count: cutMessages,
        text: `${plural(cutMessages, 'SIP message was', 'SIP messages were')} cut by the snap length`,
      },
      { count: gaps, text: `${plural(gaps, 'gap', 'gaps')} in connections with SIP: segments were not captured` },
      {
        count: incompletePackets,
        text: `${plural(incompletePackets, 'packet is', 'packets are')} incomplete: not all fragments were captured`,
      },
    );
    return kinds.filter(({ count }) => count > 0);
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
