import { LoadedModules, npmPackages } from '@ringdown/testing/loaded-modules';
import { startNats } from '@ringdown/testing/servers/nats';
import { startCollector } from './collector-process.js';

describe('the process of the collector', () => {
  it('does not load modules that serve a web interface', async () => {
    const nats = await startNats();
    const modules = new LoadedModules();
    const collector = await startCollector({ NATS_URL: nats.url, ...modules.env });
    const { pid } = collector;
    await collector.stop();
    await nats.stop();
    const packages = npmPackages(modules.of(Number(pid)));
    modules.remove();
    expect(packages).toEqual(expect.arrayContaining(['@nestjs/core', '@nats-io/jetstream', 'pino']));
    const web = /^(?:@nestjs\/platform-|@fastify\/|fastify$|class-|express$)/;
    expect(packages.filter((name) => web.test(name))).toEqual([]);
  });
});
