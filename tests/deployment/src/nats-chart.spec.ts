import { BUS_USER_NAMES, findNatsServer, keyVariable, makeBusKeys } from '@ringdown/embedded/bus';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chartConfig, chartValues, CONFIG_FOLDER, streamsMount } from './nats-chart.js';
import { root } from './kubectl.js';
import { overlayManifests } from './kubernetes-manifests.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['small', 'cluster'])('the bus that the Helm chart of NATS makes of values-%s.yaml', (size) => {
  const values = chartValues(size);
  const [check] = values.podTemplate.merge.spec.initContainers;
  const [mount] = values.container.patch;
  const [volume] = values.podTemplate.patch;

  it('starts with the users of the base where the chart has them', async () => {
    expect(volume?.value.name).toBe(mount?.value.name);
    const manifests = await overlayManifests(`deploy/kubernetes/overlays/${size}`);
    const users = manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === volume?.value.configMap.name,
    );
    const data: Readonly<Record<string, string>> = Object(users).data ?? {};
    expect(Object.entries(data)).toEqual([['users.conf', readFileSync(join(root, 'deploy/bus/users.conf'), 'utf8')]]);
    // As the pod has them: the configuration of the chart includes the users by a path that is relative to it.
    const etc = join(folder, size);
    const write = (path: string, name: string, text: string): string => {
      const own = join(etc, basename(path));
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, name), text);
      return join(own, name);
    };
    for (const [name, text] of Object.entries(data)) write(mount?.value.mountPath ?? '', name, text);
    const config = write(CONFIG_FOLDER, 'nats.conf', chartConfig(values));
    const keys = makeBusKeys();
    const env = Object.fromEntries(BUS_USER_NAMES.map((name) => [keyVariable(name), keys[name].publicKey]));
    const program = await findNatsServer();
    const { status, stderr } = spawnSync(program?.command ?? '', ['-t', '--config', config], {
      env: { POD_NAME: 'nats-0', ...env },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
  }, 300_000);

  it('looks for streams of before in the volume of the server, without changing it', () => {
    expect(check?.image).toBe(`${values.container.image.repository}:${values.container.image.tag}`);
    expect(check?.volumeMounts).toEqual([{ ...streamsMount(values), readOnly: true }]);
    expect(values.container.merge).toMatchObject({ securityContext: check?.securityContext });
    // A server keeps streams in the folder `jetstream` of its store_dir.
    const streams = `${values.config.jetstream.fileStore.dir}/jetstream/$G/streams`;
    const command = check?.command.join(' ') ?? '';
    expect(command).toContain(`'${streams}'`);
    const run = (): number | null => {
      const [program = '', ...args] = check?.command ?? [];
      const here = args.map((arg) => arg.replaceAll(values.config.jetstream.fileStore.dir, join(folder, size)));
      return spawnSync(program, here).status;
    };
    expect(run()).toBe(0);
    mkdirSync(join(folder, size, 'jetstream', '$G', 'streams'), { recursive: true });
    expect(run()).toBe(1);
  });
});
