import { runWebService } from '@ringdown/service';
import { applicationPeople } from './service.js';

await runWebService(applicationPeople);
