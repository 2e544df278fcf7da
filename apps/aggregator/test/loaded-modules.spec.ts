import { LoadedModules } from '@ringdown/testing/loaded-modules';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

describe('the process of the aggregator', () => {
  it('loads nothing that reads captures, which has a process of its own', async () => {
    const modules = new LoadedModules();
    const { href } = new URL('../src/index.js', import.meta.url);
    const args = ['--input-type=module', '--eval', `await import('${href}')`];
    const loading = spawn(process.execPath, args, {
      env: { ...programEnvironment(), ...modules.env },
      stdio: 'ignore',
    });
    expect(await once(loading, 'exit')).toEqual([0, null]);
    const files = modules.of(Number(loading.pid));
    modules.remove();
    expect(files.some((file) => file.includes('/captures/captures.js'))).toBe(true);
    const reading = files.filter((file) => /libs\/(?:capture|call-capture)\//.test(file));
    expect(reading.map((file) => file.replace(/^.*libs\//, ''))).toEqual([
      'call-capture/dist/src/feed/played-findings.js',
    ]);
  });
});
