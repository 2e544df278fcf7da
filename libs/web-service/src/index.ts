export { createWebApplication, type WebService } from './web-application.js';
export { edgeSettings, runWebService, startWebService } from './web-service.js';
