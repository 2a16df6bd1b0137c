//! What has been said so far.

use serde_json::{Value, json};
use tilework_nn::chat::Message;

/// A conversation, perhaps with instructions in front.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Message>,
}

impl Conversation {
    pub(super) fn new(system: Option<&str>) -> Conversation {
        let mut conversation = Conversation::default();
        conversation.set_system(system.unwrap_or_default());
        conversation
    }

    pub(super) fn say(&mut self, role: &str, content: &str) {
        self.messages.push(Message::new(role, content));
    }

    /// Replaces the instructions; empty ones are none.
    pub(super) fn set_system(&mut self, text: &str) {
        self.messages.retain(|message| message.role != "system");
        if !text.is_empty() {
            self.messages.insert(0, Message::new("system", text));
        }
    }

    /// Forgets all but the instructions.
    pub(super) fn reset(&mut self) {
        self.messages.retain(|message| message.role == "system");
    }

    /// Takes back what the user said last and what followed; that, if there was any.
    pub(super) fn undo(&mut self) -> Option<String> {
        let last = self.messages.iter().rposition(|message| message.role == "user")?;
        self.messages.drain(last..).next().map(|message| message.content)
    }

    pub(super) fn to_json(&self) -> Value {
        let message = |message: &Message| json!({ "role": message.role, "content": message.content });
        self.messages.iter().map(message).collect()
    }

    /// A list of objects with `role` and `content`, or nothing if it is something else.
    pub(super) fn from_json(text: &str) -> Option<Conversation> {
        let value: Value = serde_json::from_str(text).ok()?;
        let message = |message: &Value| Some(Message::new(message["role"].as_str()?, message["content"].as_str()?));
        Some(Conversation { messages: value.as_array()?.iter().map(message).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_can_be_taken_back_and_kept() {
        let mut conversation = Conversation::new(Some("Be brief."));
        for (role, content) in [("user", "a"), ("assistant", "b"), ("user", "c\n\"é\""), ("assistant", "d")] {
            conversation.say(role, content);
        }
        assert_eq!(Conversation::from_json(&conversation.to_json().to_string()), Some(conversation.clone()));
        assert_eq!(conversation.undo().as_deref(), Some("c\n\"é\""));
        assert_eq!(conversation.messages.len(), 3);
        conversation.set_system("");
        assert_eq!(conversation.messages[0].role, "user");
        conversation.set_system("Be long.");
        conversation.reset();
        assert_eq!(conversation, Conversation::new(Some("Be long.")));
        assert_eq!(conversation.undo(), None);
        for broken in ["", "{}", "[1]", "[{\"role\": \"user\"}]"] {
            assert_eq!(Conversation::from_json(broken), None);
        }
    }
}
