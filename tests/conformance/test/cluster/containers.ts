import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../../src/unique.js';

const run = promisify(execFile);

/** The containers of a compose project, which the test stops and starts by Docker's own commands. */
export class Containers {
  constructor(private readonly project: string) {}

  /** The project that `npm run test:cluster-containers` started. Throws an Error when there is none. */
  static ofEnvironment(): Containers {
    const project = process.env['RINGDOWN_CLUSTER_PROJECT'];
    if (!project) throw new Error('RINGDOWN_CLUSTER_PROJECT is not set: run npm run test:cluster-containers');
    return new Containers(project);
  }

  /** Their names, sorted; one for each replica. */
  async of(service: string): Promise<readonly string[]> {
    const filters = [`project=${this.project}`, `service=${service}`].flatMap((label) => [
      '--filter',
      `label=com.docker.compose.${label}`,
    ]);
    const { stdout } = await run('docker', ['ps', '--all', ...filters, '--format', '{{.Names}}']);
    return stdout.split('\n').filter(Boolean).toSorted();
  }

  /** Ends it as a power cut of its machine does: without a word to anybody. */
  async kill(name: string): Promise<void> {
    await run('docker', ['kill', '--signal', 'KILL', name]);
  }

  async start(name: string): Promise<void> {
    await run('docker', ['start', name]);
    await until(`health of ${name}`, () => this.healthOf(name).then((health) => health === 'healthy' || undefined));
  }

  /** What a command in the container prints. */
  async output(name: string, command: readonly string[]): Promise<string> {
    const { stdout } = await run('docker', ['exec', name, ...command]);
    return stdout.trim();
  }

  private async healthOf(name: string): Promise<string> {
    const { stdout } = await run('docker', ['inspect', '--format', '{{.State.Health.Status}}', name]);
    return stdout.trim();
  }
}
