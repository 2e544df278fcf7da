import { LoadedModules, npmPackages } from '@ringdown/testing/loaded-modules';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

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

describe('a program of the whole system', () => {
  it('loads nothing of Node that it does not use: undici, of which `node:http` exports a part', async () => {
    const program = pathToFileURL(programFile('ringdown', 'check-settings')).href;
    const code = `process.on('exit', () => console.log(process.moduleLoadList.join('\\n'))); await import('${program}');`;
    const started = spawn(process.execPath, ['--input-type=module', '-e', code], { env: programEnvironment() });
    const loaded = (await text(started.stdout)).split('\n');
    expect(loaded).toContain('NativeModule http');
    expect(loaded.filter((module) => module.includes('undici'))).toEqual([]);
  });
});
