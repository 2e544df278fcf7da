import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestNats } from './nats.js';

/** The files of a bus at one moment, to be put back later, as an old volume is: the bus then has lost what came after. */
export class BusCopy {
  private constructor(
    private readonly bus: TestNats,
    private readonly folder: string,
    private readonly copy: string,
  ) {}

  /** `folder`: where the bus keeps its files. It is stopped meanwhile. */
  static async take(bus: TestNats, folder: string): Promise<BusCopy> {
    const copy = mkdtempSync(join(tmpdir(), 'ringdown-bus-copy-'));
    await bus.kill();
    cpSync(join(folder, STREAMS), join(copy, STREAMS), { recursive: true });
    await bus.restart();
    return new BusCopy(bus, folder, copy);
  }

  /** The bus starts again with the files of then. `whileStopped`: what else is to happen before it does. */
  async putBack(whileStopped: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.bus.kill();
    rmSync(join(this.folder, STREAMS), { recursive: true });
    cpSync(join(this.copy, STREAMS), join(this.folder, STREAMS), { recursive: true });
    await whileStopped();
    await this.bus.restart();
  }

  /** The same with the messages alone, as after a power cut: what the bus knows of its readers is newer than its streams. */
  async putBackMessages(): Promise<void> {
    await this.bus.kill();
    const all = readdirSync(join(this.folder, STREAMS), { recursive: true, encoding: 'utf8' });
    for (const messages of all.filter((path) => basename(path) === MESSAGES)) {
      rmSync(join(this.folder, STREAMS, messages), { recursive: true });
      cpSync(join(this.copy, STREAMS, messages), join(this.folder, STREAMS, messages), { recursive: true });
    }
    await this.bus.restart();
  }

  stop(): Promise<void> {
    rmSync(this.copy, { recursive: true, force: true });
    return Promise.resolve();
  }
}

/** What nats-server calls the folder of its streams, and in that of each stream the one of its messages. */
const STREAMS = 'jetstream';
const MESSAGES = 'msgs';
