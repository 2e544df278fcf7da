// Processor time of what a run starts, by kind. It is read while processes live (Linux), because it is gone with them:
// what lives for less than a second is not counted.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 1_000;

/** Kinds of processes by what their command line contains, the first that fits. */
const KINDS = [
  ['jest', /node_modules\/(jest|\.bin\/jest)/],
  ['nats-server', /nats-server/],
  ['databases', /postgres|initdb/],
  ['browsers', /chrom(e|ium)/],
  ['compiler and linter', /tsc|tsgo|oxlint|prettier|vite/],
  ['services and commands', /node/],
];

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

/** Parent, start and processor seconds; the name in front of them may contain blanks and brackets. Undefined if it has ended. */
function statOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  // A number is used again by another process, with another start.
  return { parent: Number(fields[1]), id: `${pid} started at ${fields[19]}`, seconds };
}

/** Undefined if it has ended. */
function kindOf(pid) {
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  if (command === '') return undefined;
  return KINDS.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other programs';
}

export class ProcessorTime {
  processes = new Map();
  #timer;

  start() {
    if (!existsSync('/proc/self/stat')) return;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Seconds and number of processes of each kind, the most expensive first. */
  end() {
    clearInterval(this.#timer);
    const kinds = new Map();
    for (const { kind, seconds } of this.processes.values()) {
      const { seconds: before = 0, processes = 0 } = kinds.get(kind) ?? {};
      kinds.set(kind, { kind, seconds: before + seconds, processes: processes + 1 });
    }
    return [...kinds.values()].toSorted((a, b) => b.seconds - a.seconds);
  }

  #sample() {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const stats = new Map(pids.map((pid) => [Number(pid), statOf(pid)]).filter(([, stat]) => stat !== undefined));
    // What has lost its parent still counts.
    const isOurs = (pid) => {
      const stat = stats.get(pid);
      return stat !== undefined && (pid === process.pid || this.processes.has(stat.id) || isOurs(stat.parent));
    };
    for (const [pid, { id, seconds }] of stats) {
      if (pid === process.pid || !isOurs(pid)) continue;
      const kind = kindOf(pid) ?? this.processes.get(id)?.kind ?? 'other programs';
      this.processes.set(id, { seconds, kind });
    }
  }
}
