import { LoadedModules, npmPackages } from '@ringdown/testing/loaded-modules';
import { startNats } from '@ringdown/testing/servers/nats';
import { programFile } from '@ringdown/testing/program-file';
import { ServiceProcess } from '@ringdown/testing/service-process';

describe('the process of the subscribers', () => {
  it('loads nothing that serves a web interface', async () => {
    const nats = await startNats();
    const modules = new LoadedModules();
    const subscribers = await ServiceProcess.start({
      main: programFile('subscribers'),
      running: 'subscribers is running',
      env: { NATS_URL: nats.url, ...modules.env },
      portSetting: 'INNER_PORT',
    });
    const { pid } = subscribers;
    await subscribers.stop();
    await nats.stop();
    const packages = npmPackages(modules.of(Number(pid)));
    modules.remove();
    expect(packages).toEqual(expect.arrayContaining(['@nestjs/core', '@nats-io/jetstream', 'pino']));
    const web = /^(?:@nestjs\/platform-|@fastify\/|fastify$|class-|express$)/;
    expect(packages.filter((name) => web.test(name))).toEqual([]);
  });
});
