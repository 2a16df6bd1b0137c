export declare function publicFile(name: string): ArrayBuffer;
export declare function weightsFile(): ArrayBuffer;
