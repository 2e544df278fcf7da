import { runWebService } from '@ringdown/service';
import { discoveryAuth } from './service.js';

await runWebService(discoveryAuth);
