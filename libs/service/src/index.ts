export { announce, type Announcement, type CountSource } from './announce.js';
export {
  runProgram,
  readServiceSettings,
  runService,
  type Program,
  type Running,
  type Service,
} from './run-service.js';
export { contextSettings, openContext, type OpenContext, type ServiceContext } from './service-context.js';
export { edgeSettings, runWebService, type WebService } from './web-service.js';
