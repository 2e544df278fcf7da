/** Shares of the memory that PostgreSQL may use: its guide recommends a quarter of a machine for pages. */
const PAGES = 0.5;
const EACH_SORT = 1 / 16;
const MAINTENANCE = 0.25;
/** Times as much as PostgreSQL has is usually in the cache of the system. */
const SYSTEM_CACHE = 4;

/**
 * Settings of postgresql.conf for a server beside the services of a small machine. A connection is a process of some megabytes;
 * the services have eight at most, and commands in other terminals some more.
 */
export function memorySettings(megabytes: number): Readonly<Record<string, string>> {
  const part = (share: number): string => `${Math.max(1, Math.round(megabytes * share))}MB`;
  return {
    shared_buffers: part(PAGES),
    work_mem: part(EACH_SORT),
    maintenance_work_mem: part(MAINTENANCE),
    effective_cache_size: part(SYSTEM_CACHE),
    max_connections: '40',
    // Each of these is a process or memory of its own; nothing copies this server.
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '1',
    autovacuum_max_workers: '1',
    autovacuum_worker_slots: '1',
    io_method: 'sync',
    max_wal_senders: '0',
    wal_level: 'minimal',
    max_wal_size: '256MB',
    // Statements to compile take longer here than to run.
    jit: 'off',
  };
}
