/** Shares of the memory that PostgreSQL may use: its guide recommends a quarter of a machine for pages. */
const PAGES = 0.5;
const EACH_SORT = 1 / 16;
const MAINTENANCE = 0.25;
/** Times as much as PostgreSQL has is usually in the cache of the system. */
const SYSTEM_CACHE = 4;

/** Beside those of the calls: one each for alerts, captures and the like, for the watchdog, and for commands in other terminals. */
const OTHER_CONNECTIONS = 36;

export interface Share {
  readonly megabytes: number;
  /** Connections of the service for calls (`DATABASE_POOL_SIZE`); each is a process of some megabytes. */
  readonly poolSize: number;
}

/** Settings of postgresql.conf for a server beside the services of a small machine. */
export function memorySettings({ megabytes, poolSize }: Share): Readonly<Record<string, string>> {
  const part = (share: number): string => `${Math.max(1, Math.round(megabytes * share))}MB`;
  return {
    shared_buffers: part(PAGES),
    work_mem: part(EACH_SORT),
    maintenance_work_mem: part(MAINTENANCE),
    effective_cache_size: part(SYSTEM_CACHE),
    max_connections: String(poolSize + OTHER_CONNECTIONS),
    // Each of these is a process or memory of its own; nothing copies this server.
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '1',
    autovacuum_max_workers: '1',
    autovacuum_worker_slots: '1',
    io_method: 'sync',
    max_wal_senders: '0',
    wal_level: 'minimal',
    // The log of changes: a small system needs its disk for calls (docs/performance.md, "Where it goes").
    max_wal_size: '128MB',
    min_wal_size: '32MB',
    wal_compression: 'pglz',
    // Statements to compile take longer here than to run.
    jit: 'off',
  };
}
