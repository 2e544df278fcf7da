import { createLogger } from '@ringdown/observability';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Child, type ChildOptions } from './child.js';

const never = (): Promise<void> => new Promise(() => undefined);

describe('a child process', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-child-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function optionsOf(program: string, ready: ChildOptions['ready']): ChildOptions {
    return {
      name: 'child',
      command: process.execPath,
      args: ['-e', program, folder],
      ownFile: folder,
      pidFile: join(folder, 'child.pid'),
      logger: createLogger('test', { logLevel: 'fatal', logFormat: 'json' }),
      ready,
    };
  }

  it('is not waited for when it ends before it is ready', async () => {
    let signal: AbortSignal | undefined;
    const starting = Child.start(
      optionsOf('process.exit(1)', (_pid, ended) => {
        signal = ended;
        return never();
      }),
    );
    await expect(starting).rejects.toThrow('child ended at start');
    expect(signal?.aborted).toBe(true);
  });

  it('stays stopped when it is stopped during a restart', async () => {
    let starts = 0;
    const startsAgain = Promise.withResolvers<void>();
    const options = optionsOf('setInterval(() => undefined, 1000)', () => {
      if (++starts === 1) return Promise.resolve();
      startsAgain.resolve();
      return never();
    });
    const errors: unknown[] = [];
    const { logger } = options;
    logger.error = (...line: unknown[]) => void errors.push(line[1]);
    const child = await Child.start(options);
    process.kill(child.pid ?? 0, 'SIGKILL');
    await startsAgain.promise;
    await child.stop();
    await turn();
    expect(errors).toEqual(['child ended unexpectedly; restarting it']);
  });
});
