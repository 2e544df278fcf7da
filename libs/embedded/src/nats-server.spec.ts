import { jetStreamLine } from './nats-server.js';

describe('the streams of an embedded nats-server', () => {
  it.each([
    ['nats-server: v2.9.10', 'jetstream { store_dir: "/data/bus", max_file_store: 1PB }'],
    ['nats-server: v2.10.0', 'jetstream { store_dir: "/data/bus", max_file_store: 1PB, sync_interval: always }'],
    ['nats-server: v2.12.1-RC.1\n', 'jetstream { store_dir: "/data/bus", max_file_store: 1PB, sync_interval: always }'],
    ['nats-server: v3.0.0', 'jetstream { store_dir: "/data/bus", max_file_store: 1PB, sync_interval: always }'],
    ['no version', 'jetstream { store_dir: "/data/bus", max_file_store: 1PB }'],
  ])('of %j are on disk before the acknowledgement if the server supports it', (version, line) => {
    expect(jetStreamLine('/data/bus', version)).toBe(line);
  });
});
