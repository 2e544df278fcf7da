/** As measured: the table "What things cost" of docs/performance.md, which a test compares with these. Sizes in bytes. */
export const FIGURES = {
  databaseBytesPerCall: 3_200,
  databaseBytesPerRecord: 190,
  busBytesPerRecord: 2_000,
  databaseBytesPerMessage: 450,
  /** Of the log of changes (WAL), from which a crash is repaired and standbys copy. */
  logBytesPerRecord: 5_400,
  recordsOfCollector: 8_550,
  recordsOfAggregator: 7_839,
  /** Of two cores for collector, aggregator and PostgreSQL together. */
  recordsOfTwoCores: 4_000,
  memoryOfCollector: 180_000_000,
  memoryOfAggregator: 440_000_000,
  memoryPerCallInProgress: 1_000,
  memoryOfPeopleService: 225_000_000,
  memoryPerPerson: 870,
  memoryPerPoll: 26_400,
} as const;
