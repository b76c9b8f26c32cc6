import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

/**
 * A serializer that stores values as plain JSON. LangGraph's default serializer revives objects that look like its own classes
 * (`{"lc":1,…}`), but the state contains JSON from models and browsers, in which such an object is only data (rule R8).
 */
export class JsonSerializer implements SerializerProtocol {
  async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
    return ['json', new TextEncoder().encode(JSON.stringify(value ?? null))];
  }

  async loadsTyped(_type: string, data: Uint8Array | string): Promise<unknown> {
    return JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
  }
}
