import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestNats } from './nats.js';

/** A copy of the files of a bus, to be restored later like an old volume: the bus then has lost all newer messages. */
export class BusCopy {
  private constructor(
    private readonly bus: TestNats,
    private readonly folder: string,
    private readonly copy: string,
  ) {}

  /** `folder`: the folder with the files of the bus. The bus is stopped meanwhile. */
  static async create(bus: TestNats, folder: string): Promise<BusCopy> {
    const copy = mkdtempSync(join(tmpdir(), 'ringdown-bus-copy-'));
    await bus.kill();
    cpSync(join(folder, STREAMS), join(copy, STREAMS), { recursive: true });
    await bus.restart();
    return new BusCopy(bus, folder, copy);
  }

  /** Restarts the bus with the copied files. `whileStopped`: called before the restart. */
  async restore(whileStopped: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.bus.kill();
    rmSync(join(this.folder, STREAMS), { recursive: true });
    cpSync(join(this.copy, STREAMS), join(this.folder, STREAMS), { recursive: true });
    await whileStopped();
    await this.bus.restart();
  }

  /** The same for the messages alone, as after a power cut: the state of the readers is then newer than the streams. */
  async restoreMessages(): Promise<void> {
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

/** The name of nats-server's folder of streams, and of the folder of messages in each stream. */
const STREAMS = 'jetstream';
const MESSAGES = 'msgs';
