import { openApiDocument } from './openapi.js';

// `npm run openapi` writes the file that is committed.
process.stdout.write(`${JSON.stringify(openApiDocument, null, 2)}\n`);
