import type { ChildState } from '@ringdown/embedded';
import type { Health, Metrics } from '@ringdown/observability';

/** Each server that runs inside, by its name in health, metrics and status. */
export type InnerServers = Readonly<Partial<Record<ServerName, { readonly state: ChildState }>>>;

const SERVER_NAMES = ['bus', 'database'] as const;
type ServerName = (typeof SERVER_NAMES)[number];

const RESTARTS = 'server_restarts_total';
const RESTARTED_AT = 'server_restarted_at_seconds';
const MS_PER_SECOND = 1_000;

/** Reports servers that were started again in metrics, and those that do not run in readiness. */
export function reportServers(servers: InnerServers, { health, metrics }: { health: Health; metrics: Metrics }): void {
  const states = (): [ServerName, ChildState][] =>
    SERVER_NAMES.flatMap((name) => {
      const server = servers[name];
      return server === undefined ? [] : [[name, server.state]];
    });
  const restarts = 'How often the bus and database inside were started again: they ended, or did not respond';
  metrics.observedCounter(RESTARTS, restarts, 'server', () =>
    Object.fromEntries(states().map(([name, state]) => [name, state.restarts])),
  );
  const restartedAt = 'When the bus and database inside were last started again, seconds since 1970';
  metrics.observedGauges(RESTARTED_AT, restartedAt, 'server', () =>
    Object.fromEntries(
      states().flatMap(([name, { restartedAt: at }]) =>
        at === undefined ? [] : [[name, at.getTime() / MS_PER_SECOND]],
      ),
    ),
  );
  for (const [name] of states()) {
    health.add(`${name} server`, () => {
      const problem = servers[name]?.state.problem;
      if (problem !== undefined) throw new Error(problem);
    });
  }
}

/** For `npm run status`: one line for each server that was started again. */
export function restartLines(exposition: string): readonly string[] {
  return SERVER_NAMES.flatMap((name) => {
    const times = sampleOf(exposition, RESTARTS, name) ?? 0;
    const at = sampleOf(exposition, RESTARTED_AT, name);
    if (times === 0 || at === undefined) return [];
    const last = new Date(at * MS_PER_SECOND).toISOString();
    return [`  ${String(times).padStart(8)} times that the ${name} was started again, the last at ${last}`];
  });
}

function sampleOf(exposition: string, metric: string, server: ServerName): number | undefined {
  const start = `ringdown_${metric}{server="${server}"} `;
  const line = exposition.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}
