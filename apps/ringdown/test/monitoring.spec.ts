import { freePort } from '@ringdown/embedded';
import type { Program } from '@ringdown/service';
import { SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startRingdown } from '../src/ringdown.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly query: string };
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const root = new URL('../../../../', import.meta.url);

function repositoryFileText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe('the metrics that deploy/monitoring uses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-monitoring-'));
  const { groups }: Rules = parse(repositoryFileText('deploy/monitoring/alerts.yml'));
  const rules = groups.flatMap((group) => group.rules);
  const { panels }: Dashboard = JSON.parse(repositoryFileText('deploy/monitoring/grafana/dashboards/ringdown.json'));
  /** `# TYPE` lines: the names of all metrics of the running system. */
  let known: ReadonlySet<string>;
  let program: Program;
  let client: SystemClient;
  let token: string;

  beforeAll(async () => {
    const [PORT, COLLECTOR_PORT, INNER_PORT] = await Promise.all([freePort(), freePort(), freePort()]);
    const SUBSCRIBERS_FILE = join(folder, 'subscribers.json');
    writeFileSync(SUBSCRIBERS_FILE, '{"subscribers":[{"name":"nobody","submituri":"http://127.0.0.1:9/"}]}');
    const ports = { PORT: String(PORT), COLLECTOR_PORT: String(COLLECTOR_PORT), INNER_PORT: String(INNER_PORT) };
    await seedDatabase(join(folder, 'database'));
    program = await startRingdown({ ...ports, DATA_DIR: folder, LISTEN_HOST: '127.0.0.1', SUBSCRIBERS_FILE });
    const metrics = await (await fetch(`http://127.0.0.1:${INNER_PORT}/metrics`)).text();
    client = new SystemClient(folder, ports);
    token = await client.signIn('carol');
    known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  });
  afterAll(async () => {
    await client.stop();
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function unknownIn(expr: string): readonly string[] {
    const names = [...expr.matchAll(/\b(?:ringdown|process|nodejs)_\w+/g)].map(([name]) => name);
    expect(names.length + Number(expr.startsWith('up{'))).toBeGreaterThan(0);
    return names.filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
  }

  it.each(rules.map((rule) => [rule.alert, rule] as const))('exist for the alert %s', (_name, { expr }) => {
    expect(unknownIn(expr)).toEqual([]);
  });

  it.each(panels.map((panel) => [panel.title, panel] as const))(
    'exist for all queries of the panel "%s"',
    (_title, { targets }) => {
      expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    },
  );

  it.each(['operating.md', 'front-ends.md', 'subscribers.md', 'console.md', 'history.md'])(
    'in docs/guides/%s exist',
    (guide) => {
      const names = [...repositoryFileText(`docs/guides/${guide}`).matchAll(/\bringdown_\w*[a-z]\b/g)].map(
        ([name]) => name,
      );
      expect(names.filter((name) => unknownIn(name).length > 0)).toEqual([]);
    },
  );

  it('have alerts with a summary, a severity, and a link to a working request of the query API', async () => {
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(?:warning|critical)$/)]);
      expect(annotations.summary.length).toBeGreaterThan(10);
      expect(annotations.description.length).toBeGreaterThan(10);
      const [, path = ''] = /^\{\{ \$externalLabels\.origin \}\}(\/api\/.+)$/.exec(annotations.query) ?? [];
      const { status } = await client.as(token, path);
      expect([alert, path, status]).toEqual([alert, path, 200]);
    }
  });
});
