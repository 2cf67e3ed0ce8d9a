//! Forms in the payment provider's format: `items[0][price]=...`.
use serde_json::{Map, Value};

/// The nested object that a form writes; list indices are keys, too.
pub fn nested(form: &str) -> Value {
    let mut root = Value::Object(Map::new());
    for (name, value) in form_urlencoded::parse(form.as_bytes()) {
        let mut place = &mut root;
        for key in name.split(['[', ']']).filter(|key| !key.is_empty()) {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = place.as_object_mut().unwrap().entry(key).or_insert(Value::Null);
        }
        *place = Value::String(value.into_owned());
    }
    root
}

/// The entries of a list, in order.
pub fn entries(list: &Value) -> Vec<&Value> {
    (0..).map_while(|index| list.get(index.to_string())).collect()
}

/// A text of the form.
pub fn text<'v>(form: &'v Value, name: &str) -> Option<&'v str> {
    form[name].as_str()
}

#[test]
fn brackets_become_objects_within_objects() {
    let form =
        nested("customer=cus_1&items%5B0%5D%5Bprice%5D=p&items[0][quantity]=2&items[1][id]=si_2&metadata[a]=b+c");
    assert_eq!(text(&form, "customer"), Some("cus_1"));
    assert_eq!(entries(&form["items"]).len(), 2);
    assert_eq!(form["items"]["0"]["quantity"], "2");
    assert_eq!(form["metadata"]["a"], "b c");
}
