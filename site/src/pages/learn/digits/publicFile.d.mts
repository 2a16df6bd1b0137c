export declare function publicFile(name: string): ArrayBuffer;
