// Processor time of what a run starts, by kind. It is read while processes live (Linux), because it is gone with them:
// what lives for less than a second is not counted.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 1_000;

/** Kinds of processes by what their command line contains, the first that fits. */
const KINDS = [
  ['jest', /node_modules\/(jest|\.bin\/jest)/],
  ['nats-server', /nats-server/],
  ['databases', /postgres|pglite|database-main/],
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

/** Parent and processor seconds; the name in front of them may contain blanks and brackets. */
function statOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND };
}

function kindOf(pid) {
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
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
    const stats = new Map(pids.map((pid) => [Number(pid), statOf(pid)]));
    const isOurs = (pid) =>
      pid === process.pid || this.processes.has(pid) || (stats.has(pid) && isOurs(stats.get(pid).parent));
    for (const [pid, { seconds }] of stats) {
      // It may have ended while it was read.
      if (pid === process.pid || Number.isNaN(seconds) || !isOurs(pid)) continue;
      const known = this.processes.get(pid);
      // A number that is used again starts at zero.
      if (known === undefined || seconds < known.seconds) this.#found(pid, known);
      Object.assign(this.processes.get(pid), { seconds, kind: kindOf(pid) });
    }
  }

  #found(pid, before) {
    if (before !== undefined) this.processes.set(`${pid} before ${this.processes.size}`, before);
    this.processes.set(pid, { kind: '', seconds: 0 });
  }
}
