import { expect, test } from "vitest";
import { choiceOf, pageNumber, savedName } from "./files";

test("pages come in their order", () => {
  const file = (name: string) => new File([], name);
  expect(choiceOf([file("m.10.png"), file("m.2.png"), file("m.png")])).toMatchObject({ name: "m.png", files: [{ name: "m.png" }, { name: "m.2.png" }, { name: "m.10.png" }] });
  expect(choiceOf([])).toBeNull();
  expect(pageNumber("llama.2.7b.png")).toBe(1);
});

test("what is saved says what it is", () => {
  expect(savedName("digits_mlp.safetensors", false, 0)).toBe("digits_mlp.png");
  expect(savedName("digits_mlp.safetensors", true, 0)).toBe("digits_mlp-edited.png");
  expect(savedName("digits_mlp-edited.png", true, 0)).toBe("digits_mlp-edited.png");
  expect(savedName("smol.Q4_1.gguf", false, 2)).toBe("smol.Q4_1.3.png");
  expect(savedName("m.2.png", false, 0)).toBe("m.png");
});
