import { addressLines, fingerprintLine, LABEL_WIDTH } from './host/addresses.js';
import { metricTotal } from './metric-total.js';
import { restartLines } from './server-reports.js';
import { processWords, RunningFile, type RunningSystem } from './running-system.js';

/**
 * Exit codes as service managers know them (LSB): 0 runs, 3 does not; 1 is ours, for a running system that is not
 * ready, or has lost records.
 */
export type StatusCode = 0 | 1 | 3;

export interface Status {
  readonly code: StatusCode;
  readonly lines: readonly string[];
}

/** The state of each part by its name: `ok`, or the problem. */
interface ReportedHealth {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;
const MISSING = 'ringdown_aggregator_missing_records';
const SHORTENED = 'ringdown_aggregator_bus_shortened';
/** Metrics that show whether calls are as new as the records, with their descriptions. */
const NUMBERS = {
  ringdown_aggregator_backlog_messages: 'messages of the bus that are not read yet',
  [MISSING]: 'accepted records that the bus lost before they were read',
  ringdown_aggregator_dropped_messages: 'messages that the bus dropped before they were read',
  [SHORTENED]: 'times that the bus came back without its newest messages',
  ringdown_collector_waiting_records: 'records that wait for the bus',
  ringdown_database_damaged_files: 'damaged files of the database',
};

/** The account of losses within a day, which health, `/api/services` and the console show too. */
const LOSSES = [MISSING, 'ringdown_aggregator_dropped_messages', SHORTENED];

const DAMAGE = 'ringdown_database_damaged_files';

/** The state of the system of a data folder, from that folder and its own health and metrics. */
export async function readSystemStatus(dataDir: string): Promise<Status> {
  const file = new RunningFile(dataDir);
  const system = file.read();
  if (system === undefined) return { code: 3, lines: [notRunning(dataDir, file.readUnchecked())] };
  const details = `${processWords(system)}, since ${system.since}, data in ${dataDir}`;
  if (system.isElsewhere)
    return { code: 1, lines: [`Ringdown is running, and its state is known only there: ${details}`] };
  if (system.inner === undefined) return { code: 1, lines: [`Ringdown is starting or stopping: ${details}`] };
  // It waits for its parts first, and says why.
  const isStarting = system.addresses.length === 0;
  try {
    const health = await fetchSystemHealth(system.inner);
    const exposition = await fetchSystemMetrics(system.inner);
    const damages = damagesIn(exposition);
    const readiness = health.ready ? 'ready' : 'NOT ready';
    const state = isStarting ? 'starting' : `running and ${readiness}`;
    const lines = [`Ringdown is ${[state, ...damages].join(', and ')}: ${details}`, ''];
    const certificate = system.fingerprint === undefined ? [] : [fingerprintLine(system.fingerprint)];
    if (!isStarting) lines.push(...addressLines(system.addresses), ...certificate, '');
    lines.push(...healthLines(health), '', ...numberLines(exposition), ...restartLines(exposition));
    return { code: !isStarting && health.ready && damages.length === 0 ? 0 : 1, lines };
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const lines = [`Ringdown is running and does NOT reply at ${system.inner}: ${details}`, '', `  ${reason}`];
    return { code: 1, lines };
  }
}

/** What waiting does not mend. */
function damagesIn(exposition: string): readonly string[] {
  const isAbove0 = (metric: string): boolean => (metricTotal(exposition, metric) ?? 0) > 0;
  return [
    ...(LOSSES.some(isAbove0) ? ['the bus has LOST records'] : []),
    ...(isAbove0(DAMAGE) ? ['the database is DAMAGED'] : []),
  ];
}

/** What is missing, if anything is: printed before a system that has waited for its parts is called running. */
export function problemLines({ ready, parts }: ReportedHealth): string[] {
  if (ready) return [];
  const failing = Object.entries(parts).filter(([, state]) => state !== 'ok');
  return ['NOT ready:', ...healthLines({ parts: Object.fromEntries(failing) })];
}

/** What a service manager shows. */
export function statusLine({ ready, parts }: ReportedHealth, origin: string): string {
  if (ready) return `ready: ${origin}/`;
  const failing = Object.entries(parts).filter(([, state]) => state !== 'ok');
  return `NOT ready: ${failing.map(([part, state]) => `${part}: ${state}`).join('; ')}`;
}

/** Each part with its state. */
function healthLines({ parts }: Pick<ReportedHealth, 'parts'>): string[] {
  return Object.entries(parts).map(([part, state]) => `  ${part.padEnd(LABEL_WIDTH)} ${state}`);
}

function notRunning(dataDir: string, last: RunningSystem | undefined): string {
  const crashed = last === undefined ? '' : `; process ${last.pid} has ended without a regular stop`;
  return `Ringdown is not running: no process uses ${dataDir} (DATA_DIR)${crashed}`;
}

async function fetchSystemHealth(inner: string): Promise<ReportedHealth> {
  const response = await fetch(`${inner}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const health: unknown = await response.json();
  if (typeof health !== 'object' || health === null || !('ready' in health) || !('parts' in health)) {
    throw new Error(`another program replies at ${inner}`);
  }
  const parts = Object.entries(health.parts ?? {}).map(([part, state]) => [part, String(state)]);
  return { ready: health.ready === true, parts: Object.fromEntries(parts) };
}

async function fetchSystemMetrics(inner: string): Promise<string> {
  const response = await fetch(`${inner}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.text();
}

function numberLines(exposition: string): string[] {
  const isShortened = (metricTotal(exposition, SHORTENED) ?? 0) > 0;
  return Object.entries(NUMBERS).flatMap(([metric, description]) => {
    const total = metricTotal(exposition, metric);
    if (total === undefined) return [];
    // Collectors tell now and then how many they have accepted: what one had not told yet is lost with it.
    if (metric === MISSING && isShortened) {
      const least = total === 0 ? 'unknown' : `${total} or more`;
      return [`  ${least.padStart(8)} ${description}: it came back without its newest messages`];
    }
    return [`  ${String(total).padStart(8)} ${description}`];
  });
}
