import { runWebService } from '@ringdown/web-service';
import { discoveryAuth } from './service.js';

await runWebService(discoveryAuth);
