export { announce, type Announcement, type CountSource } from './announce.js';
export { REPLICA } from './bus-server.js';
export { ProcessModule, serviceProviders } from './process.module.js';
export { provideClass } from './provide-class.js';
export { runProgram, readServiceSettings, type Program } from './run-service.js';
export { RunningProcess } from './running-process.js';
export { runService, startService, type Service, type StartedService } from './service.js';
export { contextSettings, openProcess, type ProcessContext } from './service-context.js';
export { createWebApplication, edgeSettings, runWebService, startWebService, type WebService } from './web-service.js';
