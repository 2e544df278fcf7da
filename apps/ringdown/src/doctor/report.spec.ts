import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Check } from './check.js';
import { CHECKS } from './checks/all.js';
import { ok, problem, unknown, warning } from './finding.js';
import { programAtPort } from './read/port-owner.js';
import { examine, exitCode, reportJson, reportText } from './report.js';
import type { System } from './system.js';

const GUIDE = join(import.meta.dirname, '../../../../..', 'docs/guides/operating.md');
/** Checks of these tests look at nothing. */
const nothing = {} as System;

function check(name: string, look: Check['examine']): Check {
  return { name, looksAt: name, examine: look };
}

describe('the report of the doctor', () => {
  const checks = [
    check('ports', () => [ok('free')]),
    check('names', () => [problem('cannot be found', 'add a record'), warning('old', 'renew it')]),
    check('clock', () => Promise.resolve([unknown('cannot be told', 'compare it')])),
  ];

  it('has a line for each finding, with the remedy below what is not well', async () => {
    expect(reportText(await examine(checks, nothing))).toBe(`ok       ports         free
problem  names         cannot be found
                       → add a record
warning  names         old
                       → renew it
unknown  clock         cannot be told
                       → compare it

1 problem, 1 warning, 1 that cannot be told from here
`);
  });

  it('is JSON for programs', async () => {
    expect(JSON.parse(reportJson(await examine(checks.slice(0, 2), nothing)))).toEqual([
      { check: 'ports', state: 'ok', text: 'free' },
      { check: 'names', state: 'problem', text: 'cannot be found', remedy: 'add a record' },
      { check: 'names', state: 'warning', text: 'old', remedy: 'renew it' },
    ]);
  });

  it('has the exit code 1 for problems alone', async () => {
    expect(exitCode(await examine(checks, nothing))).toBe(1);
    const warnings = [check('a', () => [warning('x', 'y'), unknown('x', 'y')])];
    expect(exitCode(await examine(warnings, nothing))).toBe(0);
  });

  it('goes on with the others when a check fails or takes too long', async () => {
    const broken = [
      check('thrown', () => {
        throw new Error('EACCES: permission denied');
      }),
      check('rejected', () => Promise.reject(new Error('it is away'))),
      check('late', () => new Promise(() => undefined)),
      check('fine', () => [ok('all')]),
    ];
    const found = await examine(broken, nothing, 10);
    expect(found.map(({ findings: [first] }) => first?.text)).toEqual([
      'could not be examined: EACCES: permission denied',
      'could not be examined: it is away',
      'could not be examined: it took longer than 0.01 seconds',
      'all',
    ]);
    expect(exitCode(found)).toBe(0);
  });
});

describe('the guide', () => {
  it('says of each check what it looks at, in their order', () => {
    const [, section = ''] = readFileSync(GUIDE, 'utf8').split('\n## Doctor\n');
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].slice(2);
    expect(rows.map(([, name, text]) => [name, text])).toEqual(CHECKS.map(({ name, looksAt }) => [name, looksAt]));
  });
});

describe('the program at a port', () => {
  it('is found by what Linux tells of it, and none where nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: { port?: number } = Object(server.address());
    const found = programAtPort(port ?? 0);
    server.close();
    await once(server, 'close');
    expect(found).toMatchObject({ pid: process.pid });
    expect(programAtPort(port ?? 0)).toBeUndefined();
    expect(programAtPort(1, '/no/such/folder')).toBeUndefined();
  });
});
