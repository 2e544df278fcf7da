import { LoadedModules, npmPackages } from '@ringdown/testing/loaded-modules';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

describe('a command beside the running system', () => {
  const folder = mkdtempSync(`${tmpdir()}/ringdown-commands-`);
  const modules = new LoadedModules();
  afterAll(() => {
    modules.remove();
    rmSync(folder, { recursive: true });
  });

  it.each(['people', 'status', 'stop', 'backup', 'restore', 'downgrade', 'dead-letters', 'migrate'])(
    'loads nothing of the services: %s',
    async (name) => {
      const env = { ...programEnvironment(), ...modules.env, DATA_DIR: folder };
      const command = spawn(process.execPath, [programFile('ringdown', name), '--help'], { env, stdio: 'ignore' });
      await once(command, 'exit');
      const packages = npmPackages(modules.of(Number(command.pid)));
      expect(packages).toContain('pino');
      expect(packages.filter((loaded) => /^(?:@nestjs\/|@fastify\/|fastify$|class-|rxjs$)/.test(loaded))).toEqual([]);
    },
  );
});
