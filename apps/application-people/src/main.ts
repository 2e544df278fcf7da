import { runWebService } from '@ringdown/web-service';
import { applicationPeople } from './service.js';

await runWebService(applicationPeople);
