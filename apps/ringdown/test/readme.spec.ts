import { eventually } from '@ringdown/testing/eventually';
import { CHECKOUT, commandsUnder, shell, withOwn, type Shell } from '@ringdown/testing/guide-shell';
import { freePorts, type Ports } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [START = '', FIRST_STEPS = '', LOOK_AND_STOP = '', ...others] = commandsUnder('README.md', 'Quick start');
const SECOND_SYSTEM = 'PORT=9443 COLLECTOR_PORT=9080 DATA_DIR=./data2 npm start';

/** In the checkout, where data and ports of its own keep these systems apart from others. Each line of README.md is run as it is but for those. */
describe('the quick start of README.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-readme-'));
  const data = join(folder, 'data');
  const shells = new Started();
  let ports: Ports;
  let env: Record<string, string>;

  beforeAll(async () => {
    ports = await freePorts();
    env = {
      ...ports,
      DATA_DIR: data,
      INNER_PORT: '0',
      LISTEN_HOST: '127.0.0.1',
      HOME: process.env['HOME'] ?? '',
      UPGRADE_COPY: 'off',
    };
    await seedDatabase(join(data, 'database'));
  });
  afterAll(async () => {
    await shells.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(commands: string, own: Readonly<Record<string, string>> = {}): Shell {
    return shell(commands, { cwd: CHECKOUT, env: { ...env, ...own } }, shells);
  }

  async function printed(what: Shell, pattern: RegExp): Promise<void> {
    const isOver = (): boolean => pattern.test(what.output()) || what.exitCode() !== null;
    await eventually(String(pattern), isOver).catch(() => undefined);
    expect({ errors: what.errors(), output: what.output() }).toMatchObject({ output: expect.stringMatching(pattern) });
  }

  it('has three blocks, which are all run here', () => {
    expect(others).toEqual([]);
    expect([START, LOOK_AND_STOP.match(/^npm .*?(?= #|$)/gm)?.map((line) => line.trim())]).toEqual([
      'npm start\n',
      ['npm run status', 'npm stop'],
    ]);
  });

  it('starts a system, shows calls of the demo to curl, says that it runs, and stops it', async () => {
    const system = run(START);
    await printed(system, /Ringdown is running/);
    const [demo = '', asking = ''] = FIRST_STEPS.split('\n\n', 2);
    const stream = FIRST_STEPS.slice(demo.length + asking.length + 4);
    const invented = run(demo);
    const asked = run(
      withOwn(
        `${asking}\nuntil curl -sf --cacert "$CA" -H "Authorization: Bearer $TOKEN" 'https://localhost:8443/api/calls?verdict=bad' | grep -q callId; do sleep 1; done\n${stream}`,
        {
          'data/': `${data}/`,
          'localhost:8443': `localhost:${ports.PORT}`,
        },
      ),
    );
    await printed(asked, /^\{"items":\[\{[^]*\nevent: call\n/);
    expect(invented.exitCode()).toBeNull();
    const stopped = run(LOOK_AND_STOP);
    await stopped.ended;
    expect({ code: stopped.exitCode(), output: stopped.output() }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Ringdown is running and ready[^]*Ringdown has stopped/),
    });
    await system.ended;
    expect(system.exitCode()).toBe(0);
  });

  it('starts a second system beside it with the settings that it names', async () => {
    expect(readFileSync(join(CHECKOUT, 'README.md'), 'utf8')).toContain(`\`${SECOND_SYSTEM}\``);
    const { PORT, COLLECTOR_PORT } = await freePorts();
    const second = join(folder, 'data2');
    await seedDatabase(join(second, 'database'));
    const own = withOwn(SECOND_SYSTEM, { '9443': PORT, '9080': COLLECTOR_PORT, './data2': second });
    const system = run(own);
    await printed(system, new RegExp(`Ringdown is running[^]*https://localhost:${PORT}/console/`));
    const stop = run('npm stop', { PORT, COLLECTOR_PORT, DATA_DIR: second });
    await stop.ended;
    expect(stop.exitCode()).toBe(0);
    await system.ended;
  });
});
