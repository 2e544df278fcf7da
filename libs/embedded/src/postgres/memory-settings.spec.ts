import { memorySettings } from './memory-settings.js';

describe('the settings of PostgreSQL for its share of a machine', () => {
  it('divide the memory, and have room for the connections of the services', () => {
    expect(memorySettings({ megabytes: 64, poolSize: 4 })).toMatchObject({
      shared_buffers: '32MB',
      work_mem: '4MB',
      maintenance_work_mem: '16MB',
      max_connections: '40',
    });
    expect(memorySettings({ megabytes: 64, poolSize: 100 })).toMatchObject({ max_connections: '136' });
  });
});
