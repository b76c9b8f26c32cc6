import { defined } from '#lib/base/defined.ts';
import { DocumentReader, startDocumentsWorker } from '#lib/documents/document-reader.ts';
import { relayFetch, relayRefusal } from '#lib/sources/mcp/relay-fetch.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { FetchedWeb, type FetchedWebOptions } from '#lib/web/fetched-web.ts';
import { RELAY_PATH } from '#lib/wire/mcp.ts';

/**
 * Returns the access to the web for the page: through the studio’s server, which checks addresses. `egress`: records the
 * requests. `limits`: the limits of time and size; by default, `WEB_LIMITS`.
 */
export const pageWeb = (egress: Pick<EgressRecord, 'sent'>, limits?: FetchedWebOptions['limits']): WebAccess =>
  new FetchedWeb({
    ...defined({ limits }),
    fetch: relayFetch(new URL(RELAY_PATH, location.origin), { isForeign: true }),
    refusalOf: relayRefusal,
    reader: new DocumentReader(startDocumentsWorker),
    egress,
  });
